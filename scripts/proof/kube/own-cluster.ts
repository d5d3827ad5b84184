// Starts and removes the test cluster of `make kube-up`.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache, call, machine, root } from './cluster.ts';
import { servePackages } from './package-index.ts';
import type { Step } from './steps.ts';

const runScript = (path: string, minutes: number) => call(join(root, path), [], minutes * 60_000);

/** Returns a sentence with the reason why this machine cannot run a cluster; '' if it can. */
export async function findObstacle(): Promise<string> {
  const check = join(root, 'scripts/proof/cluster/check-machine.sh');
  const output = await call('sh', ['-c', `${check} || true`], 60_000);
  return output.trim();
}

/** Stops the test cluster and removes everything it created. Idempotent. */
export const removeCluster = () => runScript('scripts/proof/cluster/down.sh', 3);

/**
 * Moves this process and its children to the control group of the cluster's own programs (cluster/processes.sh): tools of a test, such
 * as k6, do not run on the node of a real cluster.
 */
export function joinSystemCgroup(): void {
  const folder = ['cpu/', ''].map((part) => `/sys/fs/cgroup/${part}husky-system`).find((path) => existsSync(path));
  if (folder !== undefined) writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
}

/** Returns the steps that start the cluster. `fresh`: first removes a cluster that an earlier run has left. */
export const clusterSteps = (fresh: boolean): Step[] => [
  {
    name: 'a real cluster starts on this machine',
    required: true,
    minutes: 39,
    run: async () => {
      if (fresh) await removeCluster();
      await call(join(root, 'scripts/proof/cluster/build.sh'), ['k6'], 10 * 60_000);
      const output = await runScript('scripts/proof/cluster/up.sh', 25);
      return /cluster ready +(\S+ s)/.exec(output)?.[1] ?? 'it was already running';
    },
  },
  {
    name: 'the images are built without a registry and imported',
    required: true,
    minutes: 16,
    run: async () => (await runScript('k8s/images/images.sh', 15)).trim().replaceAll(/\s+/g, ' '),
  },
];

/**
 * Serves a package index at the bridge, because pods have no route to a public one. It has the wheels of the demo bots, and those that
 * steps put into the returned `folder`.
 */
export async function serveBotPackages(): Promise<{ folder: string; close: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-wheels-'));
  const demoWheels = join(cache, 'wheels');
  mkdirSync(demoWheels, { recursive: true });
  if (!readdirSync(demoWheels).some((name) => name.startsWith('eval7-0.1.11'))) {
    const pip = join(root, '.tools/python/bin/pip');
    if (!existsSync(pip)) throw new Error('the Python tools are not installed: run make install');
    const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
    const target = ['--only-binary=:all:', '--python-version', '3.11', '--platform', `manylinux_2_28_${architecture}`];
    await call(pip, ['download', '-q', ...target, '-d', demoWheels, 'eval7==0.1.11'], 120_000);
  }
  const server = await servePackages([demoWheels, folder], machine, 8085);
  return {
    folder,
    close() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
