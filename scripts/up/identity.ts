import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import type { ServerProcess } from '@husky/platform/server-process';
import type { ValuesOf } from '@husky/runtime/process/variables';
import { CannotInstall } from '../keycloak/install.ts';
import { startKeycloak } from '../keycloak/keycloak.ts';
import { print } from './log.ts';
import { CannotStart } from './preflight.ts';
import type { Secrets } from './secrets.ts';

export interface Identity {
  /** Environment variables for auth and the gateway. */
  readonly variables: Readonly<Record<string, string>>;
  /** The started Keycloak and a function that starts it again; undefined if auth stores the accounts or Keycloak is external. */
  readonly keycloak?: { readonly server: ServerProcess; readonly start: () => Promise<ServerProcess> };
}

/** Returns the port of the last start if it is free, so that sessions stay valid: their tokens contain the address. */
async function choosePort(file: string): Promise<number> {
  const port = await freePort(existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  writeFileSync(file, String(port));
  return port;
}

/** Prepares the store of the accounts by IDENTITY: auth (`own`), or Keycloak (`keycloak`), which is started unless KEYCLOAK_URL is set. */
export async function prepareIdentity(
  values: ValuesOf<'make up'>,
  publicUrl: string,
  dataDir: string,
  secrets: Secrets,
): Promise<Identity> {
  if (values.IDENTITY === 'own') return { variables: {} };
  if (values.KEYCLOAK_URL !== undefined) {
    if (values.KEYCLOAK_CLIENT_SECRET_FILE === undefined)
      throw new CannotStart('KEYCLOAK_URL requires KEYCLOAK_CLIENT_SECRET_FILE.');
    return { variables: {} };
  }

  const admin = secrets.value(
    'keycloak-admin',
    () => values.KEYCLOAK_ADMIN_PASSWORD ?? randomBytes(18).toString('base64url'),
  );
  const options = {
    port: values.KEYCLOAK_PORT || (await choosePort(join(dataDir, 'keycloak-port'))),
    dataDir: join(dataDir, 'keycloak'),
    publicUrl,
    clientSecret: secrets.value('keycloak-client').value,
    adminPassword: admin.value,
    ...(values.SMTP_URL === undefined ? {} : { smtpUrl: values.SMTP_URL }),
    onLog: (line: string) => {
      if (/ERROR|FATAL|installing|unpacking/i.test(line)) print('keycloak', line);
    },
  };
  const keycloak = await startKeycloak(options).catch((error: unknown) => {
    throw error instanceof CannotInstall ? new CannotStart(error.message) : error;
  });
  print(
    'keycloak',
    `is at ${keycloak.url}; its administrator is ${keycloak.adminUser}, with the password in ${secrets.file('keycloak-admin')}`,
  );
  return {
    variables: {
      KEYCLOAK_URL: keycloak.url,
      KEYCLOAK_REALM: keycloak.realm,
      KEYCLOAK_CLIENT_ID: keycloak.clientId,
      KEYCLOAK_WEB_CLIENT_ID: keycloak.webClientId,
      KEYCLOAK_CLIENT_SECRET_FILE: secrets.file('keycloak-client'),
    },
    keycloak: { server: keycloak, start: () => startKeycloak(options) },
  };
}
