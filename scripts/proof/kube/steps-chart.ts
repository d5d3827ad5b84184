import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chart, helm, kubectl, machine, namespace, ownCluster, release, root, runnersNamespace } from './cluster.ts';
import type { Step } from './steps.ts';

export const kubeVersion = ['--kube-version', '1.34.0'];
const valuesFile = process.env.KUBE_VALUES ?? join(chart, 'ci/test-cluster-values.yaml');

export const packageIndex = process.env.PACKAGE_INDEX_URL ?? `http://${machine}:8085/simple`;

export const installArguments = [
  '--namespace',
  namespace,
  '-f',
  valuesFile,
  ...(ownCluster || process.env.PACKAGE_INDEX_URL !== undefined
    ? ['--set', `services.submission.packageIndexUrl=${packageIndex}`]
    : []),
];

/** Values files in the chart's folder ci. */
const ciValues = ['test-cluster', 'keycloak', 'tls', 'gateway-api', 'options', 'external'];

export const chartSteps: Step[] = [
  {
    name: 'helm lint accepts every values file',
    async run() {
      const files = ['values.yaml', 'values-prod.yaml', ...ciValues.map((name) => `ci/${name}-values.yaml`)];
      for (const file of files) await helm('lint', chart, '--strict', ...kubeVersion, '-f', join(chart, file));
      return `${files.length} files`;
    },
  },
  {
    // `make test` skips the tests that need Helm if it is not built yet.
    name: 'the tests of the chart pass with Helm, and all renderings are current',
    async run() {
      const tests = ['chart', 'chart-values'].map((name) => `scripts/proof/chart/${name}.test.ts`);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['node_modules/vitest/vitest.mjs', 'run', ...tests],
        {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, REQUIRE_HELM: '1' },
        },
      );
      if (status !== 0) throw new Error(`${stdout}${stderr}`);
      return /Tests +(.*)/.exec(stdout)?.[1];
    },
  },
];

/** Creates a namespace that admits only restricted pods; by default that of the release. */
export async function createNamespace(name = namespace): Promise<void> {
  await kubectl('create', 'namespace', name);
  await kubectl('label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted');
}

/** Installs the chart and waits until everything is ready. */
export async function install(...flags: readonly string[]): Promise<void> {
  const wait = ['--wait', '--wait-for-jobs', '--timeout', '9m'];
  await helm('install', release, chart, ...installArguments, ...flags, ...wait);
}

/** Upgrades the release and waits until everything is ready. `timeout` as in `6m`. */
export const upgradeWithin = (timeout: string, ...flags: readonly string[]) =>
  helm('upgrade', release, chart, ...installArguments, ...flags, '--wait', '--timeout', timeout);

export const installSteps: Step[] = [
  {
    name: 'helm install starts everything in namespaces that enforce restricted pods, and helm test passes',
    required: true,
    minutes: 10,
    async run() {
      await createNamespace();
      await install();
      await helm('test', release, '--namespace', namespace, '--timeout', '3m');
    },
  },
];

/** Uninstalls the release and deletes its namespaces. Idempotent. */
export async function uninstall(): Promise<void> {
  await helm('uninstall', release, '--namespace', namespace, '--wait', '--timeout', '2m').catch(() => '');
  await kubectl('delete', 'namespace', namespace, runnersNamespace, '--ignore-not-found', '--timeout=100s');
}
