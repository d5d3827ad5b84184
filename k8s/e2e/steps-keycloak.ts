import { Api } from '../../scripts/demo/api.ts';
import { call, kubectl, namespace, release, root, runnersNamespace, tryKubectl, until } from './cluster.ts';
import { adminPassword, openSite } from './platform.ts';
import type { Step } from './steps.ts';
import { install, makeNamespace, uninstall } from './steps-chart.ts';

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

async function keycloakOrigin(): Promise<string> {
  const wanted = ['get', 'service', `${release}-keycloak`, '-o', 'jsonpath={.spec.clusterIP}'];
  return `http://${await kubectl('-n', namespace, ...wanted)}:${keycloakPort}`;
}

/** Replaces the release by one that runs its own Keycloak. */
export const keycloakSteps: Step[] = [
  {
    name: 'helm uninstall removes everything',
    needed: true,
    async run() {
      await uninstall();
      for (const name of [namespace, runnersNamespace]) {
        if (tryKubectl('get', 'namespace', name).ok) throw new Error(`the namespace ${name} still exists`);
      }
    },
  },
  {
    name: 'an image of Keycloak is built without a registry',
    needed: true,
    run: async () => (await call(`${root}/k8s/images/images.sh`, ['keycloak'], 600_000)).trim().replaceAll(/\s+/g, ' '),
  },
  {
    name: 'helm install with its own Keycloak starts everything, including its database',
    needed: true,
    async run() {
      await makeNamespace();
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
        return await accountsInTheRealm(site.origin);
      } finally {
        site.close();
      }
    },
  },
];

async function accountsInTheRealm(origin: string): Promise<string> {
  const open = new Api(origin);
  const realm = new RealmAdmin(await keycloakOrigin());
  const signIn = async (username: string, password: string) =>
    (await open.post<Session>('/auth/login', { username, password })).access_token;
  const who = (api: Api) => api.get<{ admin: boolean }>('/auth/whoami');

  const password = 'correct horse battery staple 7';
  await open.post('/auth/register', { username: 'newcomer', password, email: 'newcomer@e2e.invalid' });
  const users = await realm.call<{ id: string }[]>('GET', '/users?username=newcomer&exact=true');
  const id = users[0]?.id;
  if (id === undefined) throw new Error('a user who registered is not in the realm');

  const token = await signIn('newcomer', password);
  const player = open.as(token);
  const admin = open.as(await signIn('admin', await adminPassword()));
  if (!(await who(admin)).admin) throw new Error('the first administrator has no rights');
  await admin.post('/admin/verify-user/newcomer');
  const [user] = await realm.call<{ emailVerified: boolean }[]>('GET', '/users?username=newcomer&exact=true');
  if (user?.emailVerified !== true) throw new Error('a user who is verified on the site is not verified in the realm');

  const began = Date.now();
  const role = await realm.call<object>('GET', '/roles/admin');
  await realm.call('POST', `/users/${id}/role-mappings/realm`, [role]);
  await until(
    'the role of the realm',
    10,
    () => who(player),
    (me) => me.admin,
  );
  const roleMs = Date.now() - began;
  await realm.call('POST', `/users/${id}/logout`);
  const ended = async () => {
    const response = await fetch(`${origin}/auth/whoami`, { headers: { authorization: `Bearer ${token}` } });
    return response.status;
  };
  await until('the end of the session', 10, ended, (status) => status === 401);
  return `the role took effect after ${roleMs} ms`;
}
