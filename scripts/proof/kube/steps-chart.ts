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

const invalidValues = [
  'runners.firstSize=2',
  'services.pool.replicas=0',
  'services.auth.pod.nodeName=a',
  'postgresql.external.rolePrefix=Husky',
  'nats.replicas=2',
  'nats.runAsUser=0',
  'runners.limitRange.max=4Gi',
  'publicUrl=localhost',
  'services.gateway.replicas=none',
  'image.pullPolicy=Sometimes',
  'identity.mode=ldap',
  'identity.mode=keycloak,identity.keycloak.clientSecret.name=secret',
  'identity.mode=keycloak,identity.keycloak.url=https://id.example.org',
  'identity.mode=keycloak,identity.keycloak.url=https://id.example.org,identity.keycloak.clientSecret.value=secret',
  'tls.enabled=yes',
  'postgresql.external.sslmode=prefer',
  'tls.existingSecrets=holdem-{part}',
  'tls.enabled=true,tls.existingSecrets=holdem',
  'tls.enabled=true,tls.existingSecrets=holdem-{part},tls.certManager.issuerRef.name=ca',
  'tls.enabled=true,secrets.generate=false',
  'services.auth.autoscaling.downSeconds=-1',
  'httpRoute.enabled=true',
];

const accepts = (...args: readonly string[]) =>
  helm(...args).then(
    () => true,
    () => false,
  );

export const chartSteps: Step[] = [
  {
    name: 'helm lint accepts every values file, and the schema refuses invalid values',
    async run() {
      const files = ['values.yaml', 'values-prod.yaml', ...ciValues.map((name) => `ci/${name}-values.yaml`)];
      for (const file of files) await helm('lint', chart, '--strict', ...kubeVersion, '-f', join(chart, file));
      for (const value of invalidValues) {
        if (await accepts('template', release, chart, ...kubeVersion, '--set', value))
          throw new Error(`${value} was accepted`);
      }
      return `${files.length} files, ${invalidValues.length} values refused`;
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
