import { kubectl, namespace, release, runnerPods, runnersNamespace, tryKubectl } from './cluster.ts';
import type { Step } from './steps.ts';

const pool = `system:serviceaccount:${namespace}:${release}-pool`;
const deployment = `${release}-runner`;

// verb, resource, name, namespace, allowed
const matrix: readonly [string, string, string, string, boolean][] = [
  ['get', 'deployments/scale', deployment, runnersNamespace, true],
  ['patch', 'deployments/scale', deployment, runnersNamespace, true],
  ['update', 'deployments/scale', deployment, runnersNamespace, true],
  ['get', 'pods', '', runnersNamespace, true],
  ['list', 'pods', '', runnersNamespace, true],
  ['watch', 'pods', '', runnersNamespace, true],
  ['patch', 'pods', '', runnersNamespace, true],
  ['get', 'pods/log', '', runnersNamespace, true],
  ['update', 'deployments/scale', 'another', runnersNamespace, false],
  ['get', 'deployments', deployment, runnersNamespace, false],
  ['patch', 'deployments', deployment, runnersNamespace, false],
  ['delete', 'pods', '', runnersNamespace, false],
  ['create', 'pods', '', runnersNamespace, false],
  ['create', 'pods/exec', '', runnersNamespace, false],
  ['get', 'secrets', '', runnersNamespace, false],
  ['list', 'pods', '', namespace, false],
  ['get', 'secrets', '', namespace, false],
  ['update', 'deployments/scale', `${release}-gateway`, namespace, false],
  ['list', 'nodes', '', runnersNamespace, false],
  ['list', 'pods', '', 'kube-system', false],
];

export const rightsSteps: Step[] = [
  {
    name: "the pool's service account has exactly the permissions that it needs",
    async run() {
      for (const [verb, resource, name, ns, allowed] of matrix) {
        const [kind = '', subresource] = resource.split('/');
        const target = name === '' ? kind : `${kind}/${name}`;
        const sub = subresource === undefined ? [] : [`--subresource=${subresource}`];
        const { text } = tryKubectl('auth', 'can-i', verb, target, ...sub, '-n', ns, '--as', pool);
        const isAllowed = text.split('\n').at(-1) === 'yes';
        if (isAllowed !== allowed) throw new Error(`${verb} ${resource} ${name} in ${ns}: ${text}`);
      }
      return `${matrix.length} permissions checked`;
    },
  },
  {
    name: "the pool may change only the deletion cost of a runner's pod",
    async run() {
      const name = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const patch = (body: object) =>
        tryKubectl(
          '-n',
          runnersNamespace,
          'patch',
          'pod',
          name,
          '--type=merge',
          '-p',
          JSON.stringify(body),
          '--as',
          pool,
        );
      const cost = (value: string | null) => ({
        metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': value } },
      });
      for (const value of ['-5', null]) {
        const { ok, text } = patch(cost(value));
        if (!ok) throw new Error(`the deletion cost was refused: ${text}`);
      }
      const dealer = [{ name: 'dealer', image: 'localhost/other:1' }];
      const refused = [
        { spec: { activeDeadlineSeconds: 1 } },
        { metadata: { labels: { 'app.kubernetes.io/component': 'other' } } },
        { metadata: { annotations: { another: 'x' } } },
        { metadata: { finalizers: ['husky.example/stay'] } },
      ];
      for (const body of refused) {
        const { ok, text } = patch(body);
        if (ok || !text.includes('The pool may')) throw new Error(`${JSON.stringify(body)}: ${text}`);
      }
      const image = tryKubectl(
        '-n',
        runnersNamespace,
        'patch',
        'pod',
        name,
        '--as',
        pool,
        '-p',
        JSON.stringify({ spec: { containers: dealer } }),
      );
      if (image.ok || !image.text.includes('The pool may')) throw new Error(`another image: ${image.text}`);
      return `${refused.length + 1} other changes refused`;
    },
  },
  {
    name: 'runners have no service account token and no permissions',
    async run() {
      const name = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
      const token = tryKubectl('-n', runnersNamespace, 'exec', name, '-c', 'seats', '--', 'ls', tokenFolder);
      if (token.ok) throw new Error(`${tokenFolder} exists: ${token.text}`);
      const runner = `system:serviceaccount:${runnersNamespace}:${deployment}`;
      const list = await kubectl('auth', 'can-i', '--list', '-n', runnersNamespace, '--as', runner);
      if (/\b(pods|secrets|deployments)\b/.test(list)) throw new Error(list);
    },
  },
];
