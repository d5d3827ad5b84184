// The test cluster of `make kube-up`.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache, call, root } from './cluster.ts';
import { servePackages } from './package-index.ts';
import type { Step } from './steps.ts';

const script = (path: string, minutes: number) => call(join(root, 'k8s', path), [], minutes * 60_000);

/** Returns the reason why this machine cannot run a cluster, in one sentence; '' if it can. */
export async function whyNotHere(): Promise<string> {
  const able = join(root, 'k8s/cluster/able.sh');
  const answer = await call('sh', ['-c', `${able} || true`], 60_000);
  return answer.trim();
}

/** Stops the test cluster and removes everything it created. Idempotent. */
export const removeCluster = () => script('cluster/down.sh', 3);

/** Steps that start the cluster. A `fresh` one begins without the state of an earlier run that was kept or killed. */
export const clusterSteps = (fresh: boolean): Step[] => [
  {
    name: 'a real cluster runs on this machine',
    needed: true,
    minutes: 29,
    run: async () => {
      if (fresh) await removeCluster();
      const output = await script('cluster/up.sh', 25);
      return /cluster ready +(\S+ s)/.exec(output)?.[1] ?? 'it was running';
    },
  },
  {
    name: 'the images are built without a registry and imported',
    needed: true,
    minutes: 16,
    run: async () => (await script('images/images.sh', 15)).trim().replaceAll(/\s+/g, ' '),
  },
];

/** Serves the demo bots' wheels and those in the returned `folder` on the bridge, because pods have no route to a package index. */
export async function servePackagesOfBots(): Promise<{ folder: string; close: () => void }> {
  const steps = mkdtempSync(join(tmpdir(), 'husky-wheels-'));
  const folder = join(cache, 'wheels');
  mkdirSync(folder, { recursive: true });
  if (!readdirSync(folder).some((name) => name.startsWith('eval7-0.1.11'))) {
    const pip = join(root, '.tools/python/bin/pip');
    if (!existsSync(pip)) throw new Error('the Python tools are not installed: run make install');
    const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
    const target = ['--only-binary=:all:', '--python-version', '3.11', '--platform', `manylinux_2_28_${machine}`];
    await call(pip, ['download', '-q', ...target, '-d', folder, 'eval7==0.1.11'], 120_000);
  }
  const server = await servePackages([folder, steps], '10.86.0.1', 8085);
  return {
    folder: steps,
    close() {
      server.close();
      rmSync(steps, { recursive: true, force: true });
    },
  };
}
