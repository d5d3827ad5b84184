// `make up`: runs the complete platform on one machine in the foreground until Ctrl-C or SIGTERM.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { startPostgres, superuserUrl } from '@husky/platform/postgres-server';
import type { ServerProcess } from '@husky/platform/server-process';
import { readClocks } from './clocks.ts';
import { prepareDatabase } from './database.ts';
import { restartAfterFullDisk } from './full-disk.ts';
import { prepareIdentity } from './identity.ts';
import { KeptServer } from './kept-server.ts';
import { print } from './log.ts';
import { openTelemetryVariables, writeTargets } from './monitoring.ts';
import { Part } from './part.ts';
import { describeParts } from './parts.ts';
import { CannotStart, checkDataDir, checkPlatform, checkPort, findPython, ProcessRegister } from './preflight.ts';
import { readRoutes } from './routes.ts';
import { Secrets } from './secrets.ts';
import { prepareTls } from './tls.ts';
import { readUrls } from './urls.ts';

const passedOnNames = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'LOG_LEVEL',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'HTTP_HEADERS_TIMEOUT_MS',
  'HTTP_REQUEST_TIMEOUT_MS',
  'SMTP_URL',
  'PACKAGE_INDEX_URL',
  'POOL_SIZE',
  'POOL_MAX_SIZE',
  'SOURCE_URL',
  'DATASET_URL',
  'WIKI_URL',
  ...['', '_MINIMUM', '_MAXIMUM', '_DRAIN_SECONDS', '_UP_SECONDS', '_DOWN_SECONDS', '_ASSUMED_HANDS_PER_SECOND'].map(
    (name) => `AUTOSCALING${name}`,
  ),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  ...['READS', 'WRITES', 'SIGN_INS', 'UPLOADS', 'ACCOUNT'].map((name) => `RATE_LIMIT_${name}`),
  'STREAMS_MAX',
  'STREAMS_PER_ADDRESS',
  'STREAMS_PER_ACCOUNT',
  'DOWNLOADS_PER_ADDRESS',
  'DOWNLOADS_PER_ACCOUNT',
  'MAX_CONCURRENT_REQUESTS',
  'MAX_CONCURRENT_UPLOADS',
  ...['DECISION_MS', 'BANK_MS', 'FREE_MS', 'FAULTS_TO_DISABLE', 'STARTUP_MS', 'MEMORY_MIB', 'LOG_BYTES'].map(
    (name) => `BOT_${name}`,
  ),
];

/** For live-data only, since they contain a secret. */
const archiveNames = [
  'ARCHIVE_URL',
  'ARCHIVE_HANDS_DAYS',
  ...['ENDPOINT_URL', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => `AWS_${name}`),
];

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.DATA_DIR ?? '.data');
const port = Number(process.env.PORT ?? 8080);
const startTimeoutMs = 60_000;

const stops: { name: string; stop: () => Promise<void> }[] = [];
let stopping: Promise<never> | undefined;

function stopAll(reason: string, code: number): Promise<never> {
  stopping ??= (async () => {
    print('up', `stopping: ${reason}`);
    for (const { name, stop } of stops.reverse()) {
      await stop().catch((error: unknown) => print(name, `did not stop cleanly: ${error}`));
    }
    print('up', `stopped; the data is kept in ${dataDir}`);
    process.exit(code);
  })();
  return stopping;
}

/** Returns those of these variables that are set. */
const variablesOf = (names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

async function up(): Promise<void> {
  const startedMs = performance.now();
  checkPlatform();
  const env = { ...process.env, ...readUrls(process.env) };
  checkDataDir(dataDir);
  const python = findPython(process.env.PYTHON);
  const routeOf = readRoutes(process.env.ROUTES);
  const clockOf = readClocks(process.env.CLOCKS);
  const register = new ProcessRegister(dataDir);
  const endedCount = await register.takeOver();
  if (endedCount > 0) print('up', `ended ${endedCount} processes of an earlier run`);
  await checkPort(port);
  stops.push({ name: 'up', stop: async () => register.remove('supervisor') });

  const secrets = new Secrets(dataDir);
  const initialPassword = process.env.ADMIN_PASSWORD;
  const adminPassword = secrets.value('admin-password', () => initialPassword ?? randomBytes(12).toString('base64url'));
  secrets.value('file-link-key');
  const tlsOf = await prepareTls(secrets);
  const adminUsername = process.env.ADMIN_USERNAME ?? 'admin';
  const natsPasswords = Object.fromEntries(
    Object.keys(natsUsers).map((user) => [user, secrets.value(`nats-${user}`).value]),
  );

  const [postgresPort, natsPort] = await Promise.all([freePort(), freePort()]);
  const onLog = (part: string) => (line: string) => {
    if (/ERROR|FATAL|PANIC|\[ERR\]|\[FTL\]/.test(line) && !/starting up/.test(line)) print(part, line);
  };
  // Each server is added to `stops` as soon as it runs, so that it is stopped if another one does not start.
  const keep = async (
    name: string,
    start: () => Promise<ServerProcess>,
    running?: ServerProcess,
  ): Promise<KeptServer> => {
    const kept = new KeptServer({ name, start, register }, running ?? (await start()));
    stops.push({ name, stop: () => kept.stop() });
    return kept;
  };
  let nats: KeptServer | undefined;
  const onNatsLog = onLog('nats');
  const onNatsDisk = restartAfterFullDisk(dataDir, () => nats?.restart());
  const superuserPassword = secrets.value('database-owner').value;
  const [identityFolder, signingKeyFile] = await Promise.all([
    secrets.identities(),
    secrets.signingKey(),
    keep('postgres', () =>
      startPostgres({
        dataDir: join(dataDir, 'postgres'),
        port: postgresPort,
        password: superuserPassword,
        onLog: onLog('postgres'),
      }),
    ),
    keep('nats', () =>
      startNats({
        program: join(root, '.tools/python/bin/nats-server'),
        dataDir: join(dataDir, 'nats'),
        port: natsPort,
        passwords: natsPasswords,
        onLog: (line) => {
          onNatsLog(line);
          onNatsDisk(line);
        },
      }),
    ).then((kept) => {
      nats = kept;
    }),
  ]);
  const identity = await prepareIdentity(env, dataDir, port, secrets);
  if (identity.keycloak) await keep('keycloak', identity.keycloak.start, identity.keycloak.server);
  const applied = await prepareDatabase(superuserUrl(postgresPort, superuserPassword), secrets, root);
  if (applied > 0) print('up', `applied ${applied} database migrations`);

  const passedOn = { ...variablesOf(passedOnNames, env), ...openTelemetryVariables(env) };
  const { services, gateway } = await describeParts({
    root,
    dataDir,
    port,
    secrets,
    identityFolder,
    signingKeyFile,
    postgresPort,
    python,
    adminUsername,
    passedOn,
    archive: variablesOf(archiveNames, env),
    natsPort,
    routeOf,
    clockOf,
    tlsOf,
    identity: identity.variables,
  });
  writeTargets(dataDir, [...services, gateway]);
  const parts = [...services, gateway].map((options) => new Part(options, register));
  stops.push({
    name: 'services',
    stop: async () => void (await Promise.all(parts.slice(0, -1).map((part) => part.stop()))),
  });
  stops.push({ name: 'gateway', stop: async () => void (await parts.at(-1)?.stop()) });
  for (const part of parts) part.start();
  await Promise.all(parts.map((part) => part.waitUntilReady(startTimeoutMs)));
  if (stopping) return;
  print(
    'up',
    `everything is up after ${((performance.now() - startedMs) / 1000).toFixed(1)} s; the data is in ${dataDir}`,
  );
  if (adminPassword.created && initialPassword === undefined) {
    print('up', `the administrator is ${adminUsername}, with the password ${adminPassword.value} (shown only now)`);
  }
  process.stdout.write(`ready: http://localhost:${port}\n`);
}

// The program that reads the log has ended, so nobody can stop the platform with Ctrl-C.
process.stdout.on('error', () => void stopAll('standard output was closed', 0));
process.on('SIGINT', () => void stopAll('Ctrl-C', 0));
process.on('SIGTERM', () => void stopAll('SIGTERM', 0));
up().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CannotStart) process.stderr.write(`${message}\n`);
  else print('up', `could not start: ${message}`);
  if (stops.length === 0) process.exit(1);
  return stopAll('it could not start', 1);
});
