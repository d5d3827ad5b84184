// What the API server says of the manifests of every values file, without creating them.
import { join } from 'node:path';
import {
  apply,
  call,
  chart,
  helm,
  kubectl,
  namespace,
  refusalOf,
  release,
  root,
  tryKubectl,
  waitUntil,
} from './cluster.ts';
import type { Step } from './steps.ts';
import { ciValues, kubeVersion } from './steps-chart.ts';

/** Kinds of objects that the chart can create and Kubernetes does not have. */
const customResources = ['gateway-api', 'cert-manager-api', 'prometheus-operator'];

const dryRunNamespace = `${namespace}-dry-run`;

/** `pods.priorityClassName` of ci/options-values.yaml. The API server refuses a Pod with an unknown one. */
const priorityClass = 'holdem';

const everything = [
  'backup.enabled=true,backup.copyTo.url=s3://backups,backup.copyTo.existingSecret=backups,load.enabled=true,otlpEndpoint=http://collector.monitoring:4318',
  'monitoring.serviceMonitor=true,monitoring.rules=true,monitoring.dashboards=true',
  'pods.nodeSelector.disk=fast,runners.quota.enabled=true,runners.limitRange.enabled=true',
].join(',');

/** Arguments of helm, by name. */
const renderings: readonly [string, readonly string[]][] = [
  ['default values', []],
  ['values-prod.yaml', ['-f', join(chart, 'values-prod.yaml')]],
  ...ciValues.map((name): [string, readonly string[]] => [name, ['-f', join(chart, `ci/${name}-values.yaml`)]]),
  ['everything that is off by default', ['--set', everything]],
];

const render = (...more: readonly string[]) =>
  helm('template', release, chart, ...kubeVersion, '--namespace', dryRunNamespace, ...more);

/** Needs a cluster of our own, because it adds custom resources for a moment. */
export const dryRunSteps: Step[] = [
  {
    name: 'the API server accepts the manifests of every values file by strict validation, and refuses wrong ones',
    minutes: 15,
    run: dryRun,
  },
];

async function dryRun(): Promise<string> {
  const bin = (await call(join(root, 'scripts/proof/cluster/build.sh'), customResources, 180_000)).trim();
  const folders = customResources.flatMap((name) => ['-f', `${bin}/${name}-crds/`]);
  // A busy API server needs a while for them.
  await call('kubectl', ['apply', '--server-side', ...folders], 480_000);
  try {
    await kubectl('wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all');
    for (const name of [dryRunNamespace, `${dryRunNamespace}-runners`])
      apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    apply({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: priorityClass }, value: 0 });
    let objects = 0;
    for (const [name, args] of renderings) {
      const manifests = await render(...args);
      const refusal = refusalOf(manifests, '--validate=strict');
      if (refusal !== '') throw new Error(`${name}: ${refusal.slice(0, 600)}`);
      objects += manifests.match(/^kind: /gm)?.length ?? 0;
    }
    await refusesWrong();
    return `${renderings.length} renderings, ${objects} objects`;
  } finally {
    tryKubectl(
      'delete',
      'namespace',
      dryRunNamespace,
      `${dryRunNamespace}-runners`,
      '--ignore-not-found',
      '--wait=false',
    );
    tryKubectl('delete', 'priorityclass', priorityClass, '--ignore-not-found');
    await deleteCustomResources(folders);
  }
}

/**
 * Deletes all custom resource definitions. The API server (1.34) leaves one for good that it could not empty because its storage was
 * being initialized ("InstanceDeletionFailed"), until the definition changes.
 */
async function deleteCustomResources(folders: readonly string[]): Promise<void> {
  await kubectl('delete', '--ignore-not-found', '--wait=false', ...folders);
  await waitUntil(
    'the end of all custom resource definitions',
    120,
    async () => {
      tryKubectl('annotate', 'crd', '--all', '--overwrite', `husky/attempt=${Date.now()}`);
      return tryKubectl('wait', '--for=delete', 'crd', '--all', '--timeout=20s');
    },
    ({ ok }) => ok,
  );
}

/** Throws unless a misspelt field, a wrong hostname and a wrong alert are refused: otherwise nothing was validated. */
async function refusesWrong(): Promise<void> {
  const gateway = ['-f', join(chart, 'ci/gateway-api-values.yaml'), '--show-only', 'templates/edge.yaml'];
  const wrong: [string, string][] = [
    [(await render()).replace('terminationGracePeriodSeconds:', 'terminationGraceSeconds:'), 'terminationGraceSeconds'],
    [await render(...gateway, '--set', 'httpRoute.hostnames={-wrong-}'), 'hostnames[0]'],
    [(await render('--set', 'monitoring.rules=true')).replace(/^( *)expr: '.*'$/m, '$1expr: {a: 1}'), 'expr'],
  ];
  for (const [manifests, phrase] of wrong) {
    const refusal = refusalOf(manifests, '--validate=strict');
    if (!refusal.includes(phrase)) throw new Error(`not refused because of ${phrase}: ${refusal.slice(0, 300)}`);
  }
}
