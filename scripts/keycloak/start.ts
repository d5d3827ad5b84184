// `make keycloak`: runs Keycloak with our realm in the foreground until Ctrl-C or SIGTERM.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { print } from '../up/log.ts';
import { Secrets } from '../up/secrets.ts';
import { readGiven } from '../up/variables.ts';
import { CannotInstall } from './install.ts';
import { startKeycloak } from './keycloak.ts';

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.DATA_DIR ?? '.data');
const port = Number(process.env.KEYCLOAK_PORT ?? 8180);

async function main(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new CannotInstall('KEYCLOAK_PORT must be a number from 1 to 65535.');
  }
  const { PUBLIC_URL: publicUrl, SMTP_URL: smtpUrl } = readGiven(process.env).given;
  const startedMs = performance.now();
  const secrets = new Secrets(dataDir);
  const clientSecret = secrets.value('keycloak-client');
  const admin = secrets.value(
    'keycloak-admin',
    () => process.env.KEYCLOAK_ADMIN_PASSWORD ?? randomBytes(18).toString('base64url'),
  );
  const keycloak = await startKeycloak({
    port,
    dataDir: join(dataDir, 'keycloak'),
    publicUrl: publicUrl ?? `http://localhost:${process.env.PORT ?? 8080}`,
    clientSecret: clientSecret.value,
    adminPassword: admin.value,
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    onLog: (line) => print('keycloak', line),
  });
  let stopping = false;
  const stop = (code: number) => {
    if (stopping) return;
    stopping = true;
    void keycloak.stop().then(() => process.exit(code));
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.stdout.on('error', () => stop(0));
  void keycloak.exited.then(({ code }) => {
    if (stopping) return;
    print('keycloak', `ended unexpectedly with code ${code}`);
    process.exit(1);
  });
  print(
    'keycloak',
    `is up after ${((performance.now() - startedMs) / 1000).toFixed(1)} s; its data is in ${dataDir}/keycloak`,
  );
  if (admin.created)
    print('keycloak', `its administrator is ${keycloak.adminUser}, with the password ${admin.value} (shown only now)`);
  print('keycloak', `the secret of ${keycloak.clientId} is in ${secrets.file('keycloak-client')}`);
  process.stdout.write(`ready: ${keycloak.url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
