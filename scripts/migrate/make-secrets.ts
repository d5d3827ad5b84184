// Entry point of the secrets Job: creates the installation's secrets. Idempotent: existing secrets are not changed, except that
// the rights of NATS users are updated to the release and certificates are renewed.
// RELEASE (prefix of the names), NAMESPACE, RUNNERS_NAMESPACE, ADMIN_USERNAME, TLS (true: create certificates).
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issuers } from '@husky/platform/identities';
import { natsAuthorization, natsUsers } from '@husky/platform/nats-users';
import { ApiException, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { databaseServices } from '../up/database.ts';
import { Secrets } from '../up/secrets.ts';
import { type Entries, freshAuthority, renewCertificate } from './certificates.ts';
import { required, retryForSeconds, run } from './settings.ts';

const codeOf = (error: unknown) => (error instanceof ApiException ? error.code : undefined);
const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('utf8');

class Store {
  readonly #api: CoreV1Api;
  readonly #release: string;

  constructor(api: CoreV1Api, release: string) {
    this.#api = api;
    this.#release = release;
  }

  /** Returns the entries of a secret; undefined if it does not exist. */
  async read(namespace: string, name: string): Promise<Entries | undefined> {
    try {
      const { data = {} } = await this.#api.readNamespacedSecret({ namespace, name: this.#name(name) });
      return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decode(value)]));
    } catch (error) {
      if (codeOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** Creates the secret unless it exists. */
  async make(namespace: string, name: string, stringData: Entries): Promise<void> {
    const labels = { 'app.kubernetes.io/part-of': 'husky-holdem', 'app.kubernetes.io/instance': this.#release };
    try {
      const metadata = { name: this.#name(name), labels };
      await this.#api.createNamespacedSecret({ namespace, body: { metadata, stringData, type: 'Opaque' } });
      process.stdout.write(`created the secret ${namespace}/${this.#name(name)}\n`);
    } catch (error) {
      if (codeOf(error) !== 409) throw error;
    }
  }

  /** Updates the entries of a secret that differ from `desired`. Other entries, such as passwords, are kept. */
  async keepCurrent(namespace: string, name: string, desired: Entries): Promise<void> {
    const before = await this.read(namespace, name);
    const stringData = Object.fromEntries(Object.entries(desired).filter(([key, value]) => before?.[key] !== value));
    const changed = Object.keys(stringData);
    if (changed.length === 0) return;
    const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    await this.#api.patchNamespacedSecret({ namespace, name: this.#name(name), body: { stringData } }, merge);
    process.stdout.write(`${changed.join(', ')} of the secret ${namespace}/${this.#name(name)}: updated\n`);
  }

  #name(name: string): string {
    return `${this.#release}-${name}`;
  }
}

/**
 * Creates the secret `installation` with all values, and from it one secret for each part with the values that this part may
 * know. Continues an interrupted run, because all values are in the first secret.
 */
async function makeSecrets(): Promise<void> {
  const config = new KubeConfig();
  config.loadFromCluster();
  const store = new Store(config.makeApiClient(CoreV1Api), required('RELEASE'));
  const namespace = required('NAMESPACE');
  const runnersNamespace = required('RUNNERS_NAMESPACE');

  let all = await store.read(namespace, 'installation');
  if (all === undefined) {
    await store.make(namespace, 'installation', await freshValues());
    all = await store.read(namespace, 'installation');
  }
  const admin = await adminMadeBefore(store, namespace);
  const value = (name: string): string => {
    const found = all?.[name];
    if (found === undefined) throw new Error(`the secret of the installation lacks ${name}`);
    return found;
  };

  await store.make(namespace, 'trust', { 'trust.json': value('trust.json') });
  for (const service of databaseServices) {
    await store.make(namespace, service, {
      'identity.key.json': value(`${service}.key.json`),
      'database-password': value(`database-${service}`),
      'nats-password': value(`nats-${service}`),
      ...(service === 'auth'
        ? {
            'access-token-key.json': value('access-token-key.json'),
            'admin-password': admin?.password ?? value('admin-password'),
          }
        : {}),
      ...(service === 'submission' ? { 'file-link-key': value('file-link-key') } : {}),
    });
  }
  await store.make(namespace, 'gateway', {
    'identity.key.json': value('gateway.key.json'),
    'nats-password': value('nats-gateway'),
  });
  await store.make(runnersNamespace, 'runner', { 'identity.key.json': value('runner.key.json') });
  await store.make(namespace, 'admin', { username: required('ADMIN_USERNAME'), password: value('admin-password') });
  await store.make(namespace, 'postgres', { password: value('database-owner') });
  await store.make(namespace, 'migrate', {
    ...Object.fromEntries(databaseServices.map((service) => [`database-${service}`, value(`database-${service}`)])),
    // Installations of earlier versions have none.
    ...(all?.['installation-id'] === undefined ? {} : { 'installation-id': all['installation-id'] }),
  });
  const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, value(`nats-${user}`)]));
  const users = natsAuthorization(passwords);
  await store.make(namespace, 'nats', { 'users.conf': users, 'route-password': value('nats-route') });
  await store.keepCurrent(namespace, 'nats', { 'users.conf': users });
  if (process.env.TLS === 'true') await makeCertificates(store, namespace, runnersNamespace);
}

/** Returns the administrator of a secret that was created before the installation; undefined without one. */
async function adminMadeBefore(store: Store, namespace: string): Promise<{ password: string } | undefined> {
  const secret = await store.read(namespace, 'admin');
  if (secret === undefined) return undefined;
  const { username, password } = secret;
  const expected = required('ADMIN_USERNAME');
  if (username !== expected) {
    throw new Error(
      `The secret of the administrator has the username ${username}, adminUsername of the chart is ${expected}`,
    );
  }
  if (!password) throw new Error('The secret of the administrator has no key password');
  return { password };
}

async function makeCertificates(store: Store, namespace: string, runnersNamespace: string): Promise<void> {
  if ((await store.read(namespace, 'tls-ca')) === undefined) {
    await store.make(namespace, 'tls-ca', await freshAuthority(required('RELEASE')));
  }
  const authority = (await store.read(namespace, 'tls-ca')) ?? {};
  for (const part of issuers) {
    const place = part === 'runner' ? runnersNamespace : namespace;
    const before = await store.read(place, `tls-${part}`);
    const desired = await renewCertificate(part, authority, before, new Date());
    if (before === undefined) await store.make(place, `tls-${part}`, desired);
    else await store.keepCurrent(place, `tls-${part}`, desired);
  }
}

async function freshValues(): Promise<Entries> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-secrets-'));
  try {
    const secrets = new Secrets(folder);
    const identities = await secrets.identities();
    const text = (path: string) => readFileSync(path, 'utf8');
    const random = () => randomBytes(24).toString('base64url');
    return {
      ...Object.fromEntries(
        issuers.map((issuer) => [`${issuer}.key.json`, text(join(identities, `${issuer}.key.json`))]),
      ),
      'trust.json': text(join(identities, 'trust.json')),
      'access-token-key.json': text(await secrets.signingKey()),
      ...Object.fromEntries(databaseServices.map((service) => [`database-${service}`, random()])),
      ...Object.fromEntries(Object.keys(natsUsers).map((user) => [`nats-${user}`, random()])),
      'nats-route': random(),
      'database-owner': random(),
      'installation-id': randomBytes(8).toString('hex'),
      'file-link-key': random(),
      'admin-password': randomBytes(12).toString('base64url'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

run(retryForSeconds(120, makeSecrets, 'The secrets could not be created'));
