// docs/operations.md, Install and Secrets: a release without Helm, as Argo CD would deploy it: `helm template | kubectl apply --server-side`.
import { join } from 'node:path';
import { apply, call, chart, helm, kubectl, root, waitUntil } from './cluster.ts';
import { OtherRelease } from './other-release.ts';
import { type Step, seconds } from './steps.ts';
import { createNamespace, installArguments, kubeVersion } from './steps-chart.ts';

const second = new OtherRelease('second');
const containerd = ['-a', '/run/husky-kube/containerd.sock', '-n', 'k8s.io'];
const images = ['app', 'submission', 'dealer', 'seats'];

const render = (tag: string) =>
  helm(
    'template',
    second.name,
    chart,
    ...installArguments,
    '--namespace',
    second.namespace,
    ...kubeVersion,
    '--skip-tests',
    '--set',
    `nats.replicas=1,image.tag=${tag}`,
    '--set',
    `secrets.generate=false,tls.existingSecrets=${second.name}-tls-{part},runners.createNamespace=false`,
  );

/** Creates every secret of the release as its operator would, here by `make kube-secrets`. Returns their number. */
async function createSecrets(): Promise<number> {
  const variables = [`RELEASE=${second.name}`, `NAMESPACE=${second.namespace}`, 'TLS=1'];
  const program = [process.execPath, join(root, 'scripts/migrate/print-secrets.ts')];
  const manifests = await call('env', [...variables, ...program]);
  apply(manifests);
  return manifests.match(/^kind: Secret$/gm)?.length ?? 0;
}

export const gitopsSteps: Step[] = [
  {
    name: 'gitops: helm template | kubectl apply --server-side installs a second release whose secrets make kube-secrets has printed, and upgrades it',
    minutes: 14,
    async run() {
      const installStartedMs = Date.now();
      let manifests = await render('test');
      try {
        for (const ns of [second.namespace, second.runnersNamespace]) await createNamespace(ns);
        const secrets = await createSecrets();
        const password = await second.readPassword();
        apply(manifests, '--server-side');
        await second.waitUntilComplete('test');
        await second.waitUntilUsable(password);
        const installedMs = Date.now() - installStartedMs;
        apply(manifests, '--server-side');
        for (const image of images) {
          const full = `localhost/husky-holdem/${image}`;
          await call('ctr', [...containerd, 'images', 'tag', '--force', `${full}:test`, `${full}:${second.name}`]);
        }
        manifests = await render(second.name);
        const upgradeStartedMs = Date.now();
        apply(manifests, '--server-side');
        await second.waitUntilComplete(second.name);
        await second.waitUntilUsable(password);
        return `${secrets} secrets; installed in ${seconds(installedMs)}, upgraded in ${seconds(Date.now() - upgradeStartedMs)}`;
      } finally {
        await second.remove();
      }
    },
  },
];

// docs/operations.md, Upgrade and roll back: an installation that fails is repaired by an upgrade.
const repaired = new OtherRelease('repaired');

export const repairSteps: Step[] = [
  {
    name: 'an installation with a wrong PostgreSQL image is repaired by helm upgrade',
    minutes: 12,
    async run() {
      const values = ['--namespace', repaired.namespace, '--set', 'nats.replicas=1'];
      const callHelm = (action: string, ...flags: readonly string[]) =>
        helm(action, repaired.name, chart, ...installArguments, ...values, ...flags);
      try {
        await createNamespace(repaired.namespace);
        await callHelm('install', '--set', 'postgresql.image=localhost/husky-holdem/postgres:missing');
        const reason = 'jsonpath={.status.containerStatuses[0].state.waiting.reason}';
        const pod = `${repaired.name}-postgres-0`;
        const waiting = await waitUntil(
          'the refusal of the image',
          90,
          () => kubectl('-n', repaired.namespace, 'get', 'pod', pod, '-o', reason),
          (text) => text.startsWith('ErrImage'),
        );
        const startedMs = Date.now();
        await callHelm('upgrade', '--wait', '--timeout', '6m');
        await repaired.waitUntilUsable(await repaired.readPassword());
        return `${waiting}; usable ${((Date.now() - startedMs) / 1000).toFixed(1)} s after the upgrade began`;
      } finally {
        await repaired.remove();
      }
    },
  },
];
