// The secret values of an installation, and which part knows which of them.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issuers } from '@husky/platform/identities';
import { natsAuthorization, natsUsers } from '@husky/platform/nats-users';
import { databaseServices } from '../up/database.ts';
import { Secrets } from '../up/secrets.ts';
import type { Entries } from './certificates.ts';

/** A secret of the chart, without the prefix of its name. */
export interface PartSecret {
  readonly name: string;
  /** In the runners' namespace instead of the release's. */
  readonly forRunners: boolean;
  readonly entries: Entries;
}

/** Returns a value of the installation. Throws when it is missing. */
export function getValue(all: Entries, name: string): string {
  const found = all[name];
  if (found === undefined) throw new Error(`the secret of the installation lacks ${name}`);
  return found;
}

/** Returns one secret for each part with the values that this part may know. Throws when a value is missing. */
export function splitByPart(
  all: Entries,
  admin: { readonly username: string; readonly password: string },
): PartSecret[] {
  const value = (name: string) => getValue(all, name);
  const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, value(`nats-${user}`)]));
  const secrets: [string, Entries][] = [
    ['trust', { 'trust.json': value('trust.json') }],
    ...databaseServices.map((service): [string, Entries] => [
      service,
      {
        'identity.key.json': value(`${service}.key.json`),
        'database-password': value(`database-${service}`),
        'nats-password': value(`nats-${service}`),
        ...(service === 'auth'
          ? { 'access-token-key.json': value('access-token-key.json'), 'admin-password': admin.password }
          : {}),
        ...(service === 'submission' ? { 'file-link-key': value('file-link-key') } : {}),
      },
    ]),
    ['gateway', { 'identity.key.json': value('gateway.key.json'), 'nats-password': value('nats-gateway') }],
    ['admin', { ...admin }],
    ['postgres', { password: value('database-owner') }],
    [
      'migrate',
      {
        ...Object.fromEntries(databaseServices.map((service) => [`database-${service}`, value(`database-${service}`)])),
        // Installations of earlier versions have none.
        ...(all['installation-id'] === undefined ? {} : { 'installation-id': all['installation-id'] }),
      },
    ],
    ['nats', { 'users.conf': natsAuthorization(passwords), 'route-password': value('nats-route') }],
  ];
  return [
    ...secrets.map(([name, entries]) => ({ name, forRunners: false, entries })),
    { name: 'runner', forRunners: true, entries: { 'identity.key.json': value('runner.key.json') } },
  ];
}

/** Creates the values of a new installation. */
export async function generateValues(): Promise<Entries> {
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
