// docs/operations.md, Upgrade and roll back: an installation that fails is repaired by an upgrade.
import { chart, helm, kubectl, waitUntil } from './cluster.ts';
import { OtherRelease } from './other-release.ts';
import type { Step } from './steps.ts';
import { createNamespace, installArguments } from './steps-chart.ts';

const repaired = new OtherRelease('repaired');

export const repairSteps: Step[] = [
  {
    name: 'an installation with a wrong PostgreSQL image is repaired by helm upgrade',
    minutes: 12,
    async run() {
      const values = ['--namespace', repaired.namespace, '--set', 'nats.replicas=1'];
      const callHelm = (action: string, ...flags: readonly string[]) =>
        helm(action, repaired.name, chart, ...installArguments, ...values, ...flags);
      try {
        await createNamespace(repaired.namespace);
        await callHelm('install', '--set', 'postgresql.image=localhost/husky-holdem/postgres:missing');
        const reason = 'jsonpath={.status.containerStatuses[0].state.waiting.reason}';
        const pod = `${repaired.name}-postgres-0`;
        const waiting = await waitUntil(
          'the refusal of the image',
          90,
          () => kubectl('-n', repaired.namespace, 'get', 'pod', pod, '-o', reason),
          (text) => text.startsWith('ErrImage'),
        );
        const startedMs = Date.now();
        await callHelm('upgrade', '--wait', '--timeout', '6m');
        await repaired.waitUntilUsable(await repaired.readPassword());
        return `${waiting}; usable ${((Date.now() - startedMs) / 1000).toFixed(1)} s after the upgrade began`;
      } finally {
        await repaired.remove();
      }
    },
  },
];
