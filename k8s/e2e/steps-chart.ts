import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { criticalsOf, exceptions, withoutReason, withoutUse } from '../kube-score.ts';
import {
  apply,
  call,
  chart,
  helm,
  kubectl,
  namespace,
  ownCluster,
  refusalOf,
  release,
  root,
  runnersNamespace,
} from './cluster.ts';
import type { Step } from './steps.ts';

const kubeVersion = ['--kube-version', '1.34.0'];
const values = process.env.KUBE_VALUES ?? join(chart, 'ci/test-cluster-values.yaml');

export const packageIndex = process.env.PACKAGE_INDEX_URL ?? 'http://10.86.0.1:8085/simple';

export const installArguments = [
  ...['--namespace', namespace, '-f', values],
  ...(ownCluster || process.env.PACKAGE_INDEX_URL !== undefined
    ? ['--set', `submission.packageIndexUrl=${packageIndex}`]
    : []),
];

const tests = ['test-cluster', 'keycloak', 'keycloak-run', 'tls', 'gateway-api'];

const refused = [
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
    name: 'helm lint accepts the default, test, production, Keycloak, TLS and Gateway API values',
    async run() {
      for (const file of ['values.yaml', 'values-prod.yaml', ...tests.map((name) => `ci/${name}-values.yaml`)]) {
        await helm('lint', chart, '--strict', ...kubeVersion, '-f', join(chart, file));
      }
    },
  },
  {
    name: 'the schema refuses wrong values',
    async run() {
      for (const value of refused) {
        const accepted = await helm('template', release, chart, ...kubeVersion, '--set', value).then(
          () => true,
          () => false,
        );
        if (accepted) throw new Error(`${value} was accepted`);
      }
      return `${refused.length} refused`;
    },
  },
  {
    name: "k8s/base, the goldens and the chart's copy of the realm are current",
    run: async () => void (await call(process.execPath, [join(root, 'k8s/render.ts'), '--check'])),
  },
];

/** Needs a program that is built with the cluster's. */
export const scoreSteps: Step[] = [
  {
    name: 'kube-score finds no critical without a reason in the production values, also with backups and a Keycloak',
    // The first time it compiles.
    minutes: 16,
    run: score,
  },
];

async function score(): Promise<string> {
  const bin = (await call(join(root, 'k8s/cluster/build.sh'), ['kube-score'], 900_000)).trim();
  const production = ['-f', join(chart, 'values-prod.yaml')];
  const optional = ['backup.enabled=true', 'identity.keycloak.run.database.host=postgres.databases.svc'];
  const found = [];
  for (const more of [[], ['-f', join(chart, 'ci/keycloak-run-values.yaml'), '--set', optional.join(',')]]) {
    const input = await helm(
      'template',
      release,
      chart,
      ...kubeVersion,
      '--namespace',
      'husky',
      ...production,
      ...more,
    );
    const args = ['score', '--kubernetes-version', 'v1.34', '--output-format', 'json', '-'];
    // Exit code 1 means criticals.
    const { stdout, stderr } = spawnSync(join(bin, 'kube-score'), args, {
      input,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    if (stdout === '') throw new Error(`kube-score printed nothing: ${stderr}`);
    found.push(...criticalsOf(stdout, release));
  }
  const wrong = [...withoutReason(found), ...withoutUse(found)];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return `${found.length} criticals with ${exceptions.length} reasons`;
}

/** Needs a cluster of our own, because it adds the custom resources of the Gateway API for a moment. */
export const gatewayApiSteps: Step[] = [
  {
    name: "the API server accepts the chart's Gateway and HTTPRoutes, and refuses a wrong one",
    minutes: 4,
    async run() {
      const bin = await call(join(root, 'k8s/cluster/build.sh'), ['gateway-api'], 120_000);
      const resources = `${bin.trim()}/gateway-api-crds/`;
      await kubectl('apply', '--server-side', '-f', resources);
      try {
        await kubectl('wait', '--for=condition=Established', '--timeout=60s', '-f', resources);
        const edge = (...more: string[]) =>
          helm(
            ...[
              'template',
              release,
              chart,
              ...kubeVersion,
              '--namespace',
              'default',
              '--show-only',
              'templates/edge.yaml',
            ],
            ...['-f', join(chart, 'ci/gateway-api-values.yaml'), ...more],
          );
        apply(await edge(), '--dry-run=server');
        const wrong = await edge('--set', 'httpRoute.hostnames={-wrong-}');
        const refusal = refusalOf(wrong);
        if (!refusal.includes('hostnames[0]')) throw new Error(`the hostname -wrong- was not refused: ${refusal}`);
      } finally {
        await kubectl('delete', '--ignore-not-found', '--timeout=60s', '-f', resources);
      }
    },
  },
];

/** Creates the release's namespace, which admits only restricted pods. */
export async function makeNamespace(): Promise<void> {
  await kubectl('create', 'namespace', namespace);
  await kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
}

/** Installs the chart and waits until everything is ready. */
export async function install(...more: readonly string[]): Promise<void> {
  const wait = ['--wait', '--wait-for-jobs', '--timeout', '9m'];
  await helm('install', release, chart, ...installArguments, ...more, ...wait);
}

/** Upgrades the release and waits until everything is ready, at most `timeout`, as in `6m`. */
export const upgradeWithin = (timeout: string, ...more: readonly string[]) =>
  helm('upgrade', release, chart, ...installArguments, ...more, '--wait', '--timeout', timeout);

export const installSteps: Step[] = [
  {
    name: 'helm install starts everything in namespaces that enforce restricted pods',
    needed: true,
    minutes: 10,
    async run() {
      await makeNamespace();
      await install();
    },
  },
  {
    name: 'helm test passes',
    run: async () => void (await helm('test', release, '--namespace', namespace, '--timeout', '3m')),
  },
];

export async function uninstall(): Promise<void> {
  await helm('uninstall', release, '--namespace', namespace, '--wait', '--timeout', '2m').catch(() => '');
  await kubectl('delete', 'namespace', namespace, runnersNamespace, '--ignore-not-found', '--timeout=100s');
}
