// `make up`: runs the complete platform on one machine in the foreground until Ctrl-C or SIGTERM.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { startPostgres, superuserUrl } from '@husky/platform/postgres-server';
import type { ServerProcess } from '@husky/platform/server-process';
import { collectWhenIdle } from '@husky/runtime/process/node-arguments';
import { readChaos } from './chaos.ts';
import { prepareDatabase } from './database.ts';
import { restartAfterFullDisk } from './full-disk.ts';
import { prepareIdentity } from './identity.ts';
import { KeptServer } from './kept-server.ts';
import { print } from './log.ts';
import { openTelemetryVariables, writeTargets } from './monitoring.ts';
import { Part } from './part.ts';
import { describeParts } from './parts.ts';
import { CannotStart, checkDataDir, checkPlatform, checkPort, findPython, ProcessRegister } from './preflight.ts';
import { Secrets } from './secrets.ts';
import { prepareTls } from './tls.ts';
import { machineVariables, readGiven } from './variables.ts';

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.DATA_DIR || '.data');
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

async function up(): Promise<void> {
  const startedMs = performance.now();
  checkPlatform();
  const { values, given, notes } = readGiven(process.env);
  for (const note of notes) print('up', note);
  const port = values.PORT;
  checkDataDir(dataDir);
  const python = findPython(given.PYTHON);
  const { routeOf, clockOf } = readChaos(values.CHAOS);
  const register = new ProcessRegister(dataDir);
  const endedCount = await register.takeOver();
  if (endedCount > 0) print('up', `ended ${endedCount} processes of an earlier run`);
  await checkPort(port);
  stops.push({ name: 'up', stop: async () => register.remove('supervisor') });

  const secrets = new Secrets(dataDir);
  const initialPassword = values.ADMIN_PASSWORD;
  const adminPassword = secrets.value('admin-password', () => initialPassword ?? randomBytes(12).toString('base64url'));
  if (initialPassword !== undefined && !adminPassword.created && initialPassword !== adminPassword.value)
    print(
      'up',
      `ADMIN_PASSWORD has no effect here: the administrator has a password, in ${secrets.file('admin-password')}`,
    );
  secrets.value('file-link-key');
  const tlsOf = await prepareTls(secrets, values.TLS === '1');
  const adminUsername = values.ADMIN_USERNAME ?? 'admin';
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
  const identity = await prepareIdentity(values, given.PUBLIC_URL ?? `http://localhost:${port}`, dataDir, secrets);
  if (identity.keycloak) await keep('keycloak', identity.keycloak.start, identity.keycloak.server);
  const applied = await prepareDatabase(superuserUrl(postgresPort, superuserPassword), secrets, root);
  if (applied > 0) print('up', `applied ${applied} database migrations`);

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
    given,
    machine: { ...machineVariables(process.env), ...openTelemetryVariables(process.env) },
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
  collectWhenIdle();
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
