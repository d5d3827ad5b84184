// `make kube-test`: everything that docs/operations.md promises, on a real cluster. KUBECONFIG: a cluster of your own
// (images and KUBE_VALUES must suit it); without it one is made on this machine and removed afterwards (KUBE_KEEP=1
// keeps it). KUBE_ONLY: steps whose names contain these words, on what is installed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cache, call, ownCluster, root } from './cluster.ts';
import { servePackages } from './package-index.ts';
import { adminPassword, openSite, Platform } from './platform.ts';
import { runSteps, type Step } from './steps.ts';
import { chartSteps, uninstall } from './steps-chart.ts';
import { describeCluster, playSteps } from './steps-play.ts';
import { rightsSteps } from './steps-rights.ts';

const longestMs = 40 * 60_000;
const only = process.env.KUBE_ONLY;
const keep = process.env.KUBE_KEEP === '1' || only !== undefined;
const wheels = join(cache, 'wheels');

const clusterSteps: Step[] = [
  {
    name: 'a real cluster stands on this machine',
    needed: true,
    run: async () => void (await call(join(root, 'k8s/cluster/up.sh'), [], 25 * 60_000)),
  },
  {
    name: 'the images are built without a registry and imported',
    needed: true,
    run: async () => (await call(join(root, 'k8s/images/images.sh'), [], 15 * 60_000)).trim().replaceAll(/\s+/g, ' '),
  },
];

async function main(): Promise<number> {
  const began = performance.now();
  let passed = 0;
  let failed = 0;
  const run = async (steps: readonly Step[]) => {
    const chosen = only === undefined ? steps : steps.filter((step) => step.name.includes(only));
    const result = await runSteps(chosen);
    passed += result.passed;
    failed += result.failed;
    return result.failed === 0;
  };
  let packages: { close: () => void } | undefined;
  let site: { origin: string; close: () => void } | undefined;
  try {
    if (ownCluster && !(await run(clusterSteps))) return 1;
    if (ownCluster) {
      mkdirSync(wheels, { recursive: true });
      const target = ['--only-binary=:all:', '--python-version', '3.11', '--platform', 'manylinux_2_28_x86_64'];
      const pip = join(root, '.tools/python/bin/pip');
      await call(pip, ['download', '-q', ...target, '-d', wheels, 'eval7==0.1.11'], 120_000);
      packages = await servePackages(wheels, '10.86.0.1', 8085);
    }
    if (!(await run(chartSteps.map((step) => ({ ...step, needed: step.name.startsWith('helm install') }))))) {
      process.stdout.write(`${describeCluster()}\n`);
      if (chartSteps.length > 0 && failed > 0 && passed < 4) return 1;
    }
    site = await openSite();
    const password = await adminPassword();
    const platform = new Platform(site.origin, password);
    await run(rightsSteps);
    if (!(await run(playSteps(platform, password)))) process.stdout.write(`${describeCluster()}\n`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAILED  ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    site?.close();
    packages?.close();
    if (!keep) {
      await uninstall().catch((error: unknown) => process.stdout.write(`not cleaned up: ${error}\n`));
      if (ownCluster) await call(join(root, 'k8s/cluster/down.sh'), [], 120_000).catch(() => '');
    }
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    process.stdout.write(`${passed} passed, ${failed} failed (${minutes} minutes)\n`);
  }
}

setTimeout(() => {
  process.stdout.write('FAILED  the whole run took longer than 40 minutes\n');
  process.exit(1);
}, longestMs).unref();
process.exit(await main());
