// Entry point of the secrets Job: creates the installation's secrets. Existing secrets are kept, but the permissions of NATS users are
// updated and certificates are renewed.
// RELEASE, FULLNAME (prefix of the names, default: RELEASE), NAMESPACE, RUNNERS_NAMESPACE, ADMIN_USERNAME, TLS (true: create certificates).
import { issuers } from '@husky/platform/identities';
import { ApiException, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { createCa, type Entries, renewCertificate } from './certificates.ts';
import { generateValues, getValue, splitByPart } from './installation.ts';
import { namePrefix, requireVariable, retryForSeconds, run } from './settings.ts';

const codeOf = (error: unknown) => (error instanceof ApiException ? error.code : undefined);
const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('utf8');

/** Secrets of a release in Kubernetes. */
class SecretStore {
  readonly #api: CoreV1Api;

  constructor(api: CoreV1Api) {
    this.#api = api;
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

  /** Creates a secret. Does nothing if it exists. */
  async create(namespace: string, name: string, stringData: Entries): Promise<void> {
    const labels = {
      'app.kubernetes.io/part-of': 'husky-holdem',
      'app.kubernetes.io/instance': requireVariable('RELEASE'),
    };
    try {
      const metadata = { name: this.#name(name), labels };
      await this.#api.createNamespacedSecret({ namespace, body: { metadata, stringData, type: 'Opaque' } });
      process.stdout.write(`created the secret ${namespace}/${this.#name(name)}\n`);
    } catch (error) {
      if (codeOf(error) !== 409) throw error;
    }
  }

  /** Updates the entries of a secret that differ from `desired`. Other entries, such as passwords, are kept. */
  async update(namespace: string, name: string, desired: Entries): Promise<void> {
    const before = await this.read(namespace, name);
    const stringData = Object.fromEntries(Object.entries(desired).filter(([key, value]) => before?.[key] !== value));
    const changed = Object.keys(stringData);
    if (changed.length === 0) return;
    const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    await this.#api.patchNamespacedSecret({ namespace, name: this.#name(name), body: { stringData } }, merge);
    process.stdout.write(`${changed.join(', ')} of the secret ${namespace}/${this.#name(name)}: updated\n`);
  }

  #name(name: string): string {
    return `${namePrefix()}-${name}`;
  }
}

/**
 * Creates the secret `installation` with all values, and from it one secret for each part with only the values for this part. An
 * interrupted run can be repeated, because all values are in the first secret.
 */
async function createSecrets(): Promise<void> {
  const config = new KubeConfig();
  config.loadFromCluster();
  const store = new SecretStore(config.makeApiClient(CoreV1Api));
  const namespace = requireVariable('NAMESPACE');
  const runnersNamespace = requireVariable('RUNNERS_NAMESPACE');

  let all = await store.read(namespace, 'installation');
  if (all === undefined) {
    await store.create(namespace, 'installation', await generateValues());
    all = await store.read(namespace, 'installation');
  }
  const admin = await readProvidedAdmin(store, namespace);
  const password = admin?.password ?? getValue(all ?? {}, 'admin-password');
  const secrets = splitByPart(all ?? {}, { username: requireVariable('ADMIN_USERNAME'), password });
  for (const { name, forRunners, entries } of secrets) {
    const secretNamespace = forRunners ? runnersNamespace : namespace;
    await store.create(secretNamespace, name, entries);
    if (name === 'nats') await store.update(namespace, name, { 'users.conf': getValue(entries, 'users.conf') });
  }
  if (process.env.TLS === 'true') await createCertificates(store, namespace, runnersNamespace);
}

/** Returns the administrator of a secret that the operator has created; undefined if there is none. */
async function readProvidedAdmin(store: SecretStore, namespace: string): Promise<{ password: string } | undefined> {
  const secret = await store.read(namespace, 'admin');
  if (secret === undefined) return undefined;
  const { username, password } = secret;
  const expected = requireVariable('ADMIN_USERNAME');
  if (username !== expected) {
    throw new Error(
      `The secret of the administrator has the username ${username}, adminUsername of the chart is ${expected}`,
    );
  }
  if (!password) throw new Error('The secret of the administrator has no key password');
  return { password };
}

async function createCertificates(store: SecretStore, namespace: string, runnersNamespace: string): Promise<void> {
  if ((await store.read(namespace, 'tls-ca')) === undefined) {
    await store.create(namespace, 'tls-ca', await createCa(namePrefix()));
  }
  const authority = (await store.read(namespace, 'tls-ca')) ?? {};
  for (const part of issuers) {
    const partNamespace = part === 'runner' ? runnersNamespace : namespace;
    const existing = await store.read(partNamespace, `tls-${part}`);
    const desired = await renewCertificate(part, authority, existing, new Date());
    if (existing === undefined) await store.create(partNamespace, `tls-${part}`, desired);
    else await store.update(partNamespace, `tls-${part}`, desired);
  }
}

run(retryForSeconds(120, createSecrets, 'The secrets could not be created'));
