import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exceptions, findUnexpected, findUnused, parseCriticals } from '../chart/kube-score.ts';
import {
  call,
  chart,
  helm,
  kubectl,
  machine,
  namespace,
  ownCluster,
  release,
  root,
  runnersNamespace,
} from './cluster.ts';
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
    ? ['--set', `submission.packageIndexUrl=${packageIndex}`]
    : []),
];

/** Values files in the chart's folder ci. */
export const ciValues = [
  'test-cluster',
  'keycloak',
  'keycloak-run',
  'tls',
  'gateway-api',
  'alerts',
  'telemetry',
  'external',
];

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
  'identity.mode=keycloak,identity.keycloak.clientSecret.name=secret,identity.keycloak.run.enabled=true',
  'tls.enabled=yes',
  'postgresql.external.sslmode=prefer',
  'tls.existingSecrets=holdem-{part}',
  'tls.enabled=true,tls.existingSecrets=holdem',
  'tls.enabled=true,tls.existingSecrets=holdem-{part},tls.certManager.issuerRef.name=ca',
  'tls.enabled=true,secrets.generate=false',
  'services.auth.autoscaling.downSeconds=-1',
  'httpRoute.enabled=true',
];

export const chartSteps: Step[] = [
  {
    name: 'helm lint accepts the default, test and production values and those of the renderings',
    async run() {
      for (const file of ['values.yaml', 'values-prod.yaml', ...ciValues.map((name) => `ci/${name}-values.yaml`)]) {
        await helm('lint', chart, '--strict', ...kubeVersion, '-f', join(chart, file));
      }
    },
  },
  {
    name: 'the schema refuses invalid values',
    async run() {
      for (const value of invalidValues) {
        const accepted = await helm('template', release, chart, ...kubeVersion, '--set', value).then(
          () => true,
          () => false,
        );
        if (accepted) throw new Error(`${value} was accepted`);
      }
      return `${invalidValues.length} refused`;
    },
  },
  {
    // `make test` skips the tests that need Helm if it is not built yet.
    name: 'the tests of the chart pass with Helm, and all renderings are current',
    async run() {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          'node_modules/vitest/vitest.mjs',
          'run',
          'scripts/proof/chart/chart.test.ts',
          'scripts/proof/chart/chart-values.test.ts',
        ],
        { cwd: root, encoding: 'utf8', env: { ...process.env, REQUIRE_HELM: '1' } },
      );
      if (status !== 0) throw new Error(`${stdout}${stderr}`);
      return /Tests +(.*)/.exec(stdout)?.[1];
    },
  },
  {
    name: 'k8s/base and the goldens of the chart are current',
    run: async () => void (await call(process.execPath, [join(root, 'scripts/proof/chart/render.ts'), '--check'])),
  },
];

/** Steps that need kube-score, which scripts/proof/cluster/build.sh builds. */
export const scoreSteps: Step[] = [
  {
    name: 'kube-score finds no critical without a documented reason in the production values, also with backups and Keycloak',
    // Includes the build of kube-score.
    minutes: 16,
    run: scoreChart,
  },
];

async function scoreChart(): Promise<string> {
  const bin = (await call(join(root, 'scripts/proof/cluster/build.sh'), ['kube-score'], 900_000)).trim();
  const production = ['-f', join(chart, 'values-prod.yaml')];
  const optional = [
    'backup.enabled=true',
    'backup.copyTo.url=s3://backups,backup.copyTo.existingSecret=backups',
    'identity.keycloak.run.database.host=postgres.databases.svc',
  ];
  const criticals = [];
  for (const flags of [[], ['-f', join(chart, 'ci/keycloak-run-values.yaml'), '--set', optional.join(',')]]) {
    const input = await helm(
      'template',
      release,
      chart,
      ...kubeVersion,
      '--namespace',
      'husky',
      ...production,
      ...flags,
    );
    const args = ['score', '--kubernetes-version', 'v1.34', '--output-format', 'json', '-'];
    // kube-score exits with 1 if there are criticals.
    const { stdout, stderr } = spawnSync(join(bin, 'kube-score'), args, {
      input,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    if (stdout === '') throw new Error(`kube-score printed nothing: ${stderr}`);
    criticals.push(...parseCriticals(stdout, release));
  }
  const problems = [...findUnexpected(criticals), ...findUnused(criticals)];
  if (problems.length > 0) throw new Error(problems.join('; '));
  return `${criticals.length} criticals with ${exceptions.length} reasons`;
}

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
    name: 'helm install starts everything in namespaces that enforce restricted pods',
    required: true,
    minutes: 10,
    async run() {
      await createNamespace();
      await install();
    },
  },
  {
    name: 'helm test passes',
    run: async () => void (await helm('test', release, '--namespace', namespace, '--timeout', '3m')),
  },
];

/** Uninstalls the release and deletes its namespaces. Idempotent. */
export async function uninstall(): Promise<void> {
  await helm('uninstall', release, '--namespace', namespace, '--wait', '--timeout', '2m').catch(() => '');
  await kubectl('delete', 'namespace', namespace, runnersNamespace, '--ignore-not-found', '--timeout=100s');
}
