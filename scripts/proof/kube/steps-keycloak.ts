import { Api } from '../../demo/api.ts';
import { call, kubectl, namespace, release, root, runnersNamespace, tryKubectl, waitUntil } from './cluster.ts';
import { adminPassword, openSite } from './platform.ts';
import type { Step } from './steps.ts';
import { createNamespace, install, uninstall } from './steps-chart.ts';

const secret = 'holdem-keycloak';
const adminSecret = 'holdem-keycloak-admin';
const passwords = {
  realmAdmin: 'the door of the realm',
  client: 'known to auth alone',
  database: "quote's and spaces",
};
const keycloakPort = 8080;

const values = [
  'identity.mode=keycloak',
  `identity.keycloak.clientSecret.name=${secret}`,
  'identity.keycloak.run.enabled=true',
  'identity.keycloak.run.image=localhost/husky-holdem/keycloak:test',
  `identity.keycloak.run.adminSecret=${adminSecret}`,
  `identity.keycloak.run.database.passwordSecret.name=${secret}`,
  'identity.keycloak.run.database.passwordSecret.key=database-password',
  'identity.keycloak.run.resources.requests.cpu=50m',
  'nats.replicas=1',
];

interface Session {
  readonly access_token: string;
}

/** Client of Keycloak's admin API for its first administrator. */
class RealmAdmin {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#origin}/admin/realms/husky-holdem${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.#token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`Keycloak returned ${response.status} for ${method} ${path}: ${text.slice(0, 200)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async #token(): Promise<string> {
    const response = await fetch(`${this.#origin}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: 'realm-admin',
        password: passwords.realmAdmin,
      }),
    });
    if (!response.ok) throw new Error(`Keycloak's administrator cannot sign in: ${await response.text()}`);
    return ((await response.json()) as Session).access_token;
  }
}

async function readKeycloakOrigin(): Promise<string> {
  const query = ['get', 'service', `${release}-keycloak`, '-o', 'jsonpath={.spec.clusterIP}'];
  return `http://${await kubectl('-n', namespace, ...query)}:${keycloakPort}`;
}

/** Steps that replace the release by one that runs its own Keycloak. */
export const keycloakSteps: Step[] = [
  {
    name: 'helm uninstall removes everything',
    required: true,
    async run() {
      await uninstall();
      for (const name of [namespace, runnersNamespace]) {
        if (tryKubectl('get', 'namespace', name).ok) throw new Error(`the namespace ${name} still exists`);
      }
    },
  },
  {
    name: 'an image of Keycloak is built without a registry',
    required: true,
    run: async () => (await call(`${root}/k8s/images/images.sh`, ['keycloak'], 600_000)).trim().replaceAll(/\s+/g, ' '),
  },
  {
    name: 'helm install with its own Keycloak starts everything, including its database',
    required: true,
    async run() {
      await createNamespace();
      const entry = (key: string, value: string) => `--from-literal=${key}=${value}`;
      const client = [entry('client-secret', passwords.client), entry('database-password', passwords.database)];
      const admin = [entry('username', 'realm-admin'), entry('password', passwords.realmAdmin)];
      await kubectl('-n', namespace, 'create', 'secret', 'generic', secret, ...client);
      await kubectl('-n', namespace, 'create', 'secret', 'generic', adminSecret, ...admin);
      await install('--set', values.join(','));
    },
  },
  {
    name: 'accounts are in the realm: registration, sign-in, a role and the end of a session take effect on the site',
    async run() {
      const site = await openSite();
      try {
        return await verifyAccountsInRealm(site.origin);
      } finally {
        site.close();
      }
    },
  },
];

async function verifyAccountsInRealm(origin: string): Promise<string> {
  const anonymous = new Api(origin);
  const realm = new RealmAdmin(await readKeycloakOrigin());
  const signIn = async (username: string, password: string) =>
    (await anonymous.post<Session>('/auth/login', { username, password })).access_token;
  const whoami = (api: Api) => api.get<{ admin: boolean }>('/auth/whoami');

  const password = 'correct horse battery staple 7';
  await anonymous.post('/auth/register', { username: 'newcomer', password, email: 'newcomer@e2e.invalid' });
  const users = await realm.call<{ id: string }[]>('GET', '/users?username=newcomer&exact=true');
  const id = users[0]?.id;
  if (id === undefined) throw new Error('a user who registered is not in the realm');

  const token = await signIn('newcomer', password);
  const player = anonymous.as(token);
  const admin = anonymous.as(await signIn('admin', await adminPassword()));
  if (!(await whoami(admin)).admin) throw new Error('the first administrator has no rights');
  await admin.post('/admin/verify-user/newcomer');
  const [user] = await realm.call<{ emailVerified: boolean }[]>('GET', '/users?username=newcomer&exact=true');
  if (user?.emailVerified !== true) throw new Error('a user who is verified on the site is not verified in the realm');

  const startedMs = Date.now();
  const role = await realm.call<object>('GET', '/roles/admin');
  await realm.call('POST', `/users/${id}/role-mappings/realm`, [role]);
  await waitUntil(
    'the realm role on the site',
    10,
    () => whoami(player),
    (user) => user.admin,
  );
  const roleMs = Date.now() - startedMs;
  await realm.call('POST', `/users/${id}/logout`);
  const readStatus = async () => {
    const response = await fetch(`${origin}/auth/whoami`, { headers: { authorization: `Bearer ${token}` } });
    return response.status;
  };
  await waitUntil('the end of the session', 10, readStatus, (status) => status === 401);
  return `the role took effect after ${roleMs} ms`;
}
