// docs/operations.md, Install: the chart's NetworkPolicies, which policies/controller.ts enforces, because the cluster's bridge does not.
import { PolicyController } from '../policies/controller.ts';
import { helm, kubeconfig, namespace, release, tryKubectl } from './cluster.ts';
import { type Platform, startMatches } from './platform.ts';
import type { Step } from './steps.ts';
import { isolationSteps } from './steps-isolation.ts';

const nodes = ['node1'];

/** Returns whether a gateway's pod reaches a Service of the release. A policy drops packets, so a connection that it forbids waits. */
function reaches(service: string, port: number): boolean {
  const program = `require('node:net').connect({ host: '${service}', port: ${port}, timeout: 3000 })
    .once('connect', () => process.exit(0)).once('timeout', () => process.exit(3))`;
  return tryKubectl('-n', namespace, 'exec', `deploy/${release}-gateway`, '--', 'node', '-e', program).ok;
}

export const policySteps = (platform: Platform): Step[] => [
  {
    name: 'policies: under enforcement matches, scaling, helm test and attempts to escape end as without; the gateway reaches auth and no longer PostgreSQL',
    minutes: 12,
    async run() {
      const postgres = [`${release}-postgres`, 5432] as const;
      if (!reaches(...postgres)) throw new Error('without enforcement the gateway does not reach PostgreSQL');
      const controller = new PolicyController(kubeconfig);
      const stop = new AbortController();
      await controller.apply(nodes);
      const ended = controller.run(nodes, stop.signal);
      process.once('exit', () => controller.remove(nodes));
      ended.catch(() => undefined);
      try {
        if (reaches(...postgres)) throw new Error('under enforcement the gateway reaches PostgreSQL');
        if (!reaches(`${release}-auth`, 50051)) throw new Error('under enforcement the gateway does not reach auth');
        const jobs = await startMatches(platform, 3, 60);
        await platform.scaleAndWait(5, 200);
        const hands = await platform.verifyMatches(jobs, 300);
        await platform.scaleAndWait(3, 200);
        await helm('test', release, '--namespace', namespace, '--timeout', '3m');
        const probe = await isolationSteps(platform)[0]?.run();
        return `${hands} hands; ${probe}`;
      } finally {
        stop.abort();
        await ended;
      }
    },
  },
];
