// A release without Helm on the cluster, as Argo CD would deploy it: `helm template | kubectl apply --server-side`.
import { randomBytes } from 'node:crypto';
import { Api } from '../../scripts/demo/api.ts';
import { apply, call, chart, helm, kubectl, namespace, services, waitUntil } from './cluster.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments } from './steps-chart.ts';

const name = 'second';
const ns = `${namespace}-${name}`;
const containerd = ['-a', '/run/husky-kube/containerd.sock', '-n', 'k8s.io'];
const images = ['app', 'submission', 'dealer', 'seats'];

const render = (tag: string) =>
  helm(
    ...['template', name, chart, ...installArguments, '--namespace', ns, '--kube-version', '1.34.0', '--skip-tests'],
    ...['--set', `nats.replicas=1,image.tag=${tag}`],
  );

/** Waits until all Jobs have succeeded and all Deployments have the pods of this tag. */
async function waitUntilComplete(tag: string): Promise<void> {
  await kubectl('-n', ns, 'wait', 'job', '--all', '--for=condition=Complete', '--timeout=110s');
  for (const service of services) {
    const deployment = `deployment/${name}-${service}`;
    await call('kubectl', ['-n', ns, 'rollout', 'status', deployment, '--timeout=240s'], 250_000);
    const image = await kubectl(
      '-n',
      ns,
      'get',
      deployment,
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    );
    if (!image.endsWith(`:${tag}`)) throw new Error(`${service} has the image ${image}`);
  }
}

/** Signs in as the administrator with this password and waits for three runners that have requested work. */
async function waitUntilUsable(password: string): Promise<void> {
  const address = await kubectl('-n', ns, 'get', 'service', `${name}-gateway`, '-o', 'jsonpath={.spec.clusterIP}');
  const anonymous = new Api(`http://${address}`);
  const session = await waitUntil(
    'the sign-in of the administrator',
    60,
    () => anonymous.post<{ access_token: string }>('/auth/login', { username: 'admin', password }),
    () => true,
  );
  const admin = anonymous.as(session.access_token);
  await waitUntil(
    'three idle runners',
    240,
    () => admin.get<{ data: { idle_containers: unknown[] } }>('/docker/pool/detailed'),
    ({ data }) => data.idle_containers.length === 3,
    1000,
  );
}

export const gitopsSteps: Step[] = [
  {
    name: 'gitops: helm template | kubectl apply --server-side installs a second release with a chosen administrator, and upgrades it',
    minutes: 14,
    async run() {
      const password = randomBytes(12).toString('hex');
      const installStartedMs = Date.now();
      let manifests = await render('test');
      try {
        const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
        apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns, labels } });
        const metadata = { name: `${name}-admin`, namespace: ns };
        apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { username: 'admin', password } });
        apply(manifests, '--server-side');
        await waitUntilComplete('test');
        await waitUntilUsable(password);
        const installedMs = Date.now() - installStartedMs;
        apply(manifests, '--server-side');
        for (const image of images) {
          const full = `localhost/husky-holdem/${image}`;
          await call('ctr', [...containerd, 'images', 'tag', '--force', `${full}:test`, `${full}:${name}`]);
        }
        manifests = await render(name);
        const upgradeStartedMs = Date.now();
        apply(manifests, '--server-side');
        await waitUntilComplete(name);
        await waitUntilUsable(password);
        return `installed in ${seconds(installedMs)}, upgraded in ${seconds(Date.now() - upgradeStartedMs)}`;
      } finally {
        await kubectl('delete', 'namespace', ns, `${ns}-runners`, '--ignore-not-found', '--timeout=110s');
        const clusterScoped = [
          'validatingadmissionpolicy',
          'validatingadmissionpolicybinding',
          'clusterrole',
          'clusterrolebinding',
        ];
        await kubectl(
          'delete',
          clusterScoped.join(','),
          '-l',
          `app.kubernetes.io/instance=${name}`,
          '--ignore-not-found',
        );
      }
    },
  },
];
