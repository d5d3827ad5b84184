import { join } from 'node:path';
import { root, start } from './cluster.ts';
import type { Step } from './steps.ts';
import { uninstall } from './steps-chart.ts';

/** The short run of `make kube-chaos` in `make kube-test-full`. */
export const chaosSteps: Step[] = [
  {
    name: 'chaos: eight steps of a fixed seed on a release with two replicas of each service: nothing lost, duplicated or stuck',
    minutes: 18,
    async run() {
      // A small machine has no capacity for two releases.
      await uninstall();
      const variables = ['KUBE_NAMESPACE=husky-chaos', 'SEED=506', 'FAULTS=8'];
      const { code, output } = await start('env', [
        ...variables,
        process.execPath,
        join(root, 'scripts/proof/kube-chaos/main.ts'),
      ]).ended;
      if (code !== 0) throw new Error(output.trim().split('\n').slice(-20).join('\n'));
      return output
        .split('\n')
        .filter((line) => /^(\d+ calls|available again|plays again)/.test(line))
        .join('; ');
    },
  },
];
