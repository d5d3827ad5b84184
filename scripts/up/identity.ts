import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import type { ServerProcess } from '@husky/platform/server-process';
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

const passedOnNames = ['URL', 'INTERNAL_URL', 'REALM', 'CLIENT_ID', 'WEB_CLIENT_ID'].map((name) => `KEYCLOAK_${name}`);

/** Returns the port of the last start if it is free, so that sessions stay valid: their tokens contain the address. */
async function choosePort(file: string): Promise<number> {
  const port = await freePort(existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  writeFileSync(file, String(port));
  return port;
}

/** Prepares the store of the accounts by IDENTITY: auth (`own`), or Keycloak (`keycloak`), which is started unless KEYCLOAK_URL is set. */
export async function prepareIdentity(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  sitePort: number,
  secrets: Secrets,
): Promise<Identity> {
  const kind = env.IDENTITY || 'own';
  if (kind !== 'own' && kind !== 'keycloak') throw new CannotStart(`IDENTITY must be own or keycloak, not ${kind}.`);
  if (kind === 'own') return { variables: {} };

  const secretFile = env.KEYCLOAK_CLIENT_SECRET_FILE;
  if (env.KEYCLOAK_URL) {
    if (!secretFile) throw new CannotStart('KEYCLOAK_URL requires KEYCLOAK_CLIENT_SECRET_FILE.');
    const passedOn = passedOnNames.flatMap((name) => (env[name] ? [[name, env[name] as string]] : []));
    return { variables: { IDENTITY: kind, KEYCLOAK_CLIENT_SECRET_FILE: secretFile, ...Object.fromEntries(passedOn) } };
  }

  const admin = secrets.value(
    'keycloak-admin',
    () => env.KEYCLOAK_ADMIN_PASSWORD ?? randomBytes(18).toString('base64url'),
  );
  const options = {
    port: Number(env.KEYCLOAK_PORT) || (await choosePort(join(dataDir, 'keycloak-port'))),
    dataDir: join(dataDir, 'keycloak'),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${sitePort}`,
    clientSecret: secrets.value('keycloak-client').value,
    adminPassword: admin.value,
    ...(env.SMTP_URL ? { smtpUrl: env.SMTP_URL } : {}),
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
      IDENTITY: kind,
      KEYCLOAK_URL: keycloak.url,
      KEYCLOAK_REALM: keycloak.realm,
      KEYCLOAK_CLIENT_ID: keycloak.clientId,
      KEYCLOAK_WEB_CLIENT_ID: keycloak.webClientId,
      KEYCLOAK_CLIENT_SECRET_FILE: secrets.file('keycloak-client'),
    },
    keycloak: { server: keycloak, start: () => startKeycloak(options) },
  };
}
