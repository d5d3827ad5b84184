import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@husky/platform/free-port';
import { reachableDataFolder } from '@husky/platform/os-user';
import { nodeArguments } from '@husky/runtime/process/node-arguments';
import type { Part } from '@husky/runtime/process/variables';
import type { ClockOf, RouteOf } from './chaos.ts';
import { databaseName, databaseServices, roleOf } from './database.ts';
import { nodeVariables } from './node-variables.ts';
import type { PartOptions } from './part.ts';
import type { Python } from './preflight.ts';
import type { Secrets } from './secrets.ts';
import type { TlsOf } from './tls.ts';
import { type Given, givenTo, readBy } from './variables.ts';

/** Settings from which the parts of `make up` are described. */
export interface Installation {
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  readonly secrets: Secrets;
  readonly identityFolder: string;
  readonly signingKeyFile: string;
  readonly postgresPort: number;
  readonly natsPort: number;
  readonly routeOf: RouteOf;
  readonly clockOf: ClockOf;
  readonly python: Python;
  readonly adminUsername: string;
  /** Variables of auth and the gateway for the Keycloak that make up has started. */
  readonly identity: Readonly<Record<string, string>>;
  readonly tlsOf: TlsOf;
  /** Variables of the platform that are set; each part gets those that it reads. */
  readonly given: Given;
  /** Variables of the machine and of OpenTelemetry, for every part. */
  readonly machine: Readonly<Record<string, string>>;
}

/**
 * The gateway has a higher priority than the services, because it refuses requests when they are overloaded. Only root may raise a
 * priority.
 */
const gatewayNiceness = -10;

type Addresses = Readonly<Record<string, { grpc: string; ops: string }>>;

async function chooseAddresses(): Promise<Addresses> {
  const names = [...databaseServices, 'gateway'];
  const entries = await Promise.all(
    names.map(async (name) => {
      const [grpc, ops] = await Promise.all([freePort(), freePort()]);
      return [name, { grpc: `127.0.0.1:${grpc}`, ops: `127.0.0.1:${ops}` }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Returns program and variables of every service and the gateway of `make up`. Writes their addresses to `addresses.json`. */
export async function describeParts(
  installation: Installation,
): Promise<{ services: PartOptions[]; gateway: PartOptions }> {
  const { root, dataDir, secrets, identityFolder } = installation;
  const addresses = await chooseAddresses();
  const listening = {
    ...addresses,
    postgres: `127.0.0.1:${installation.postgresPort}`,
    nats: `127.0.0.1:${installation.natsPort}`,
  };
  writeFileSync(join(dataDir, 'addresses.json'), JSON.stringify(listening), { mode: 0o600 });
  const node = process.execPath;
  const publicUrl = installation.given.PUBLIC_URL ?? `http://localhost:${installation.port}`;
  const createFolder = (name: string) => {
    const path = join(dataDir, name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o700);
    return path;
  };

  const { routeOf } = installation;
  const peers = (from: string) =>
    Object.fromEntries(
      databaseServices.map((name) => [
        `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`,
        routeOf(from, name, addresses[name]?.grpc ?? ''),
      ]),
    );
  const serverAddress = (from: string, server: string, port: number) => routeOf(from, server, `127.0.0.1:${port}`);
  const shared = (name: string): Record<string, string> => ({
    ...installation.machine,
    ...givenTo(name as Part, installation.given),
    ...peers(name),
    ...installation.clockOf(name),
    NODE_ENV: 'production',
    ...nodeVariables,
    GRPC_ADDRESS: addresses[name]?.grpc ?? '',
    OPS_ADDRESS: addresses[name]?.ops ?? '',
    IDENTITY_KEY_FILE: join(identityFolder, `${name}.key.json`),
    IDENTITY_TRUST_FILE: join(identityFolder, 'trust.json'),
    ...installation.tlsOf(name),
    NATS_URL: `nats://${serverAddress(name, 'nats', installation.natsPort)}`,
    NATS_PASSWORD_FILE: secrets.file(`nats-${name}`),
    PUBLIC_URL: publicUrl,
    ...installation.identity,
  });
  const service = (name: string, program: URL, own: Record<string, string> = {}): PartOptions => ({
    name,
    command: node,
    args: [...nodeArguments, fileURLToPath(program)],
    cwd: join(root, 'services', name),
    opsAddress: addresses[name]?.ops ?? '',
    env: readBy(name as Part, {
      ...shared(name),
      DATABASE_URL: `postgresql://${roleOf(name)}@${serverAddress(name, 'postgres', installation.postgresPort)}/${databaseName}`,
      DATABASE_PASSWORD_FILE: secrets.file(`database-${name}`),
      ...own,
    }),
  });

  const tools = join(root, '.tools/python/bin');
  const services = [
    service('auth', new URL('../../services/auth/src/main.ts', import.meta.url), {
      ADMIN_USERNAME: installation.adminUsername,
      ADMIN_PASSWORD_FILE: secrets.file('admin-password'),
      AUTH_SIGNING_KEY_FILE: installation.signingKeyFile,
      MAIL_OUTBOX_DIR: createFolder('outbox'),
    }),
    service('submission', new URL('../../services/submission/src/main.ts', import.meta.url), {
      PYTHON: installation.python.path,
      RUNNER_PYTHON: installation.python.version,
      UV: join(tools, 'uv'),
      WORK_DIR: createFolder('submission'),
      FILE_LINK_KEY_FILE: secrets.file('file-link-key'),
    }),
    service('simulation', new URL('../../services/simulation/src/main.ts', import.meta.url)),
    service('live-data', new URL('../../services/live-data/src/main.ts', import.meta.url)),
    service('leaderboard', new URL('../../services/leaderboard/src/main.ts', import.meta.url)),
    service('pool', new URL('../../services/pool/src/main.ts', import.meta.url), {
      PYTHON: installation.python.path,
      // As root, each seat has its own user, which must be able to read the bot.
      RUNNERS_DIR: process.getuid?.() === 0 ? reachableDataFolder(join(dataDir, 'runners')) : createFolder('runners'),
      RUNNER_KEY_FILE: join(identityFolder, 'runner.key.json'),
    }),
  ];
  const gateway: PartOptions = {
    name: 'gateway',
    command: node,
    args: [...nodeArguments, fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))],
    cwd: join(root, 'gateway'),
    opsAddress: addresses.gateway?.ops ?? '',
    niceness: gatewayNiceness,
    env: readBy('gateway', {
      ...shared('gateway'),
      HTTP_ADDRESS: `0.0.0.0:${installation.port}`,
      WEB_DIR: join(root, 'web/dist'),
    }),
  };
  return { services, gateway };
}
