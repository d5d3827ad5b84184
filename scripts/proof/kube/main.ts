// `make kube-test`: tests the operation that docs/operations.md describes on a real cluster.
// KUBECONFIG: a cluster of your own, with your images in KUBE_VALUES. Without it, a cluster is created on this machine, after removing
// one that an earlier run left, and removed afterwards (KUBE_KEEP=1 keeps it).
// KUBE_ONLY: comma-separated phrases; runs only the steps whose names contain one of them, on the installed release.
// KUBE_FULL=1 (make kube-test-full): adds the production values, enforced
// policies, autoscaling, releases without Helm and after a repair, backup and restore, the table of events, and a second node. ATTACKS: groups and names of attacks, or
// all; default: a dozen.
import { ownCluster, stopAll } from './cluster.ts';
import { clusterSteps, findObstacle, joinSystemCgroup, removeCluster, serveBotPackages } from './own-cluster.ts';
import { adminPassword, openSite, Platform } from './platform.ts';
import { runSteps, type Step } from './steps.ts';
import { attackSteps } from './steps-attacks.ts';
import { autoscalingSteps } from './steps-autoscaling.ts';
import { backupSteps } from './steps-backup.ts';
import { chartSteps, installSteps, uninstall } from './steps-chart.ts';
import { eventSteps } from './steps-events.ts';
import { failureSteps } from './steps-failures.ts';
import { gitopsSteps, repairSteps } from './steps-gitops.ts';
import { isolationSteps } from './steps-isolation.ts';
import { nodeSteps } from './steps-nodes.ts';
import { describeCluster, isInstalled, playSteps } from './steps-play.ts';
import { policySteps } from './steps-policies.ts';
import { productionSteps } from './steps-production.ts';
import { rightsSteps } from './steps-rights.ts';
import { tlsSteps } from './steps-tls.ts';
import { upgradeSteps } from './steps-upgrade.ts';

const full = process.env.KUBE_FULL === '1';
const maxMs = ((process.env.ATTACKS === 'all' ? 75 : 40) + (full ? 105 : 0)) * 60_000;
const phrases = process.env.KUBE_ONLY?.split(',').map((phrase) => phrase.trim());
const keep = process.env.KUBE_KEEP === '1' || phrases !== undefined;

const startedMs = performance.now();
let passed = 0;
let failed = 0;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs steps. Returns false if a required step has failed. */
async function run(steps: readonly Step[]): Promise<boolean> {
  const result = await runSteps(
    phrases === undefined ? steps : steps.filter(({ name }) => phrases.some((phrase) => name.includes(phrase))),
  );
  passed += result.passed;
  failed += result.failed;
  if (result.failed > 0 && isInstalled()) print(describeCluster());
  return !result.stopped;
}

async function runAll(): Promise<void> {
  if (ownCluster) {
    if (!(await run(clusterSteps(phrases === undefined)))) return;
    joinSystemCgroup();
  }
  const packages = ownCluster ? await serveBotPackages() : undefined;
  try {
    if (!(await run([...chartSteps, ...installSteps]))) return;
    const site = await openSite();
    try {
      const password = await adminPassword();
      const platform = new Platform(site.origin, password);
      const steps = [...rightsSteps, ...tlsSteps, ...playSteps(platform, password), ...isolationSteps(platform)];
      const attacks = attackSteps(platform, packages?.folder);
      await run([...steps, ...attacks, ...failureSteps(platform), ...upgradeSteps(platform)]);
      if (full && ownCluster) {
        await run(productionSteps());
        await run([
          ...policySteps(platform),
          ...autoscalingSteps(platform),
          ...gitopsSteps,
          ...repairSteps,
          ...backupSteps,
          ...eventSteps(platform),
        ]);
        await run(nodeSteps(platform));
      }
    } finally {
      site.close();
    }
  } finally {
    packages?.close();
  }
}

async function cleanOnce(): Promise<void> {
  stopAll();
  if (keep) return;
  try {
    if (ownCluster) await removeCluster();
    else await uninstall();
  } catch (error) {
    print(`not cleaned up: ${error instanceof Error ? error.message : String(error)}`);
  }
}

let cleaning: Promise<void> | undefined;
/** Kills all started programs, and removes the cluster or the release unless KUBE_KEEP is set. Idempotent. */
function clean(): Promise<void> {
  cleaning ??= cleanOnce();
  return cleaning;
}

async function finish(): Promise<never> {
  await clean();
  print(`${passed} passed, ${failed} failed (${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes)`);
  process.exit(failed === 0 ? 0 : 1);
}

const abort = (reason: string) => {
  failed += 1;
  print(`failed: ${reason}`);
  return finish();
};
setTimeout(() => void abort(`the whole run took longer than ${maxMs / 60_000} minutes`), maxMs).unref();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void abort(`ended by ${signal}`));

const obstacle = ownCluster ? await findObstacle() : '';
if (obstacle !== '') {
  print(`not run: ${obstacle}`);
  print('0 passed, 0 failed');
} else {
  await runAll().then(finish, (error: unknown) => abort(error instanceof Error ? error.message : String(error)));
}
