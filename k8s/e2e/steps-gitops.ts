// A release without Helm on the cluster, as Argo CD deploys it: `helm template | kubectl apply --server-side`.
import { randomBytes } from 'node:crypto';
import { Api } from '../../scripts/demo/api.ts';
import { apply, call, chart, helm, kubectl, namespace, services, until } from './cluster.ts';
import { type Step, seconds } from './steps.ts';
import { installArguments } from './steps-chart.ts';

const name = 'second';
const place = `${namespace}-${name}`;
const containerd = ['-a', '/run/husky-kube/containerd.sock', '-n', 'k8s.io'];
const images = ['app', 'submission', 'dealer', 'seats'];

const render = (tag: string) =>
  helm(
    ...['template', name, chart, ...installArguments, '--namespace', place, '--kube-version', '1.34.0', '--skip-tests'],
    ...['--set', `nats.replicas=1,image.tag=${tag}`],
  );

/** Waits until all Jobs have succeeded and all Deployments have the pods of this tag. */
async function complete(tag: string): Promise<void> {
  await kubectl('-n', place, 'wait', 'job', '--all', '--for=condition=Complete', '--timeout=110s');
  for (const service of services) {
    const deployment = `deployment/${name}-${service}`;
    await call('kubectl', ['-n', place, 'rollout', 'status', deployment, '--timeout=240s'], 250_000);
    const image = await kubectl(
      '-n',
      place,
      'get',
      deployment,
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    );
    if (!image.endsWith(`:${tag}`)) throw new Error(`${service} has the image ${image}`);
  }
}

/** Signs the administrator in with this password and waits for three runners that have requested work. */
async function works(password: string): Promise<void> {
  const address = await kubectl('-n', place, 'get', 'service', `${name}-gateway`, '-o', 'jsonpath={.spec.clusterIP}');
  const open = new Api(`http://${address}`);
  const session = await until(
    'the administrator signed in',
    60,
    () => open.post<{ access_token: string }>('/auth/login', { username: 'admin', password }),
    () => true,
  );
  const admin = open.as(session.access_token);
  await until(
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
      const began = Date.now();
      let manifests = await render('test');
      try {
        const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
        apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: place, labels } });
        const metadata = { name: `${name}-admin`, namespace: place };
        apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { username: 'admin', password } });
        apply(manifests, '--server-side');
        await complete('test');
        await works(password);
        const installedMs = Date.now() - began;
        apply(manifests, '--server-side');
        for (const image of images) {
          const full = `localhost/husky-holdem/${image}`;
          await call('ctr', [...containerd, 'images', 'tag', '--force', `${full}:test`, `${full}:${name}`]);
        }
        manifests = await render(name);
        const upgrading = Date.now();
        apply(manifests, '--server-side');
        await complete(name);
        await works(password);
        return `installed in ${seconds(installedMs)}, upgraded in ${seconds(Date.now() - upgrading)}`;
      } finally {
        await kubectl('delete', 'namespace', place, `${place}-runners`, '--ignore-not-found', '--timeout=110s');
        const scoped = [
          'validatingadmissionpolicy',
          'validatingadmissionpolicybinding',
          'clusterrole',
          'clusterrolebinding',
        ];
        await kubectl('delete', scoped.join(','), '-l', `app.kubernetes.io/instance=${name}`, '--ignore-not-found');
      }
    },
  },
];
