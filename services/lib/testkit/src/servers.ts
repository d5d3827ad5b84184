import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobEnded } from '@husky/contracts/events';
import type { ServiceContract } from '@husky/contracts/services';
import { freePort } from '@husky/platform/free-port';
import { type NatsServer, startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { applyMigrations } from '@husky/runtime/database/migrations';
import { createRpcClient, type RpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner, createVerifier, type IdentitySigner, type IdentityVerifier } from '@husky/runtime/rpc/identity';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

const servicesFolder = join(import.meta.dirname, '../../..');
const toolsFolder = join(servicesFolder, '../.tools/python/bin');

export interface TestDatabase {
  /** For DATABASE_URL and DATABASE_PASSWORD_FILE: the service's own role. */
  readonly url: string;
  readonly password: string;
  readonly passwordFile: string;
  readonly schema: string;
  /** The superuser's connections to the same database, for checks and preparation. */
  readonly admin: pg.Pool;
  drop(): Promise<void>;
}

/** Creates a database with one service's migrations and role, as in production. */
export async function testDatabase(service: string): Promise<TestDatabase> {
  const { folder, postgresAdminUrl } = inject('husky');
  const schema = service.replaceAll('-', '_');
  const name = `${schema}_${randomBytes(6).toString('hex')}`;
  const role = `husky_${schema}_${name.slice(-12)}`;
  const password = randomBytes(12).toString('hex');
  const server = new pg.Client({ connectionString: postgresAdminUrl });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  await server.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await server.end();
  const adminUrl = new URL(postgresAdminUrl);
  adminUrl.pathname = `/${name}`;
  const admin = new pg.Pool({ connectionString: adminUrl.href, max: 4, options: `-c search_path=${schema}` });
  // Dropping the database terminates connections that are still closing, which emits errors.
  admin.on('connect', (connection) => connection.on('error', () => undefined));
  admin.on('error', () => undefined);
  const client = await admin.connect();
  try {
    await applyMigrations(client, { schema, folder: join(servicesFolder, service, 'prisma/migrations') }, role);
  } finally {
    client.release(true);
  }
  mkdirSync(join(folder, 'secrets'), { recursive: true });
  const passwordFile = join(folder, 'secrets', name);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  return {
    url: `postgresql://${role}@127.0.0.1:${adminUrl.port}/${name}`,
    password,
    passwordFile,
    schema,
    admin,
    async drop() {
      await admin.end();
      const superuser = new pg.Client({ connectionString: postgresAdminUrl });
      await superuser.connect();
      await superuser.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await superuser.query(`DROP ROLE IF EXISTS ${role}`);
      await superuser.end();
    },
  };
}

export interface TestNats {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly passwordFile: string;
}

interface FileNats {
  readonly server: NatsServer;
  readonly dataDir: string;
  readonly passwords: Readonly<Record<string, string>>;
}

let fileNats: Promise<FileNats> | undefined;

async function startFileNats(): Promise<FileNats> {
  // A user for tests of NATS itself; no service uses its consumer.
  const users = { ...natsUsers, listener: { consumes: { listener_job_ended: jobEnded.subject } } };
  const passwords = Object.fromEntries(Object.keys(users).map((user) => [user, randomBytes(12).toString('hex')]));
  const program = join(toolsFolder, 'nats-server');
  const dataDir = mkdtempSync(join(inject('husky').folder, 'nats-'));
  const server = await startNats({ program, dataDir, port: await freePort(), passwords, users });
  writeFileSync(join(dataDir, 'pid'), `${server.pid}`);
  return { server, dataDir, passwords };
}

afterAll(async () => {
  const nats = await fileNats;
  if (nats === undefined) return;
  await nats.server.stop();
  rmSync(nats.dataDir, { recursive: true, force: true });
});

/**
 * Returns the connection settings of NATS for one user (services/lib/platform/src/nats-users.ts). The first call of a test file
 * starts its server, so that test files do not consume each other's events.
 */
export async function testNats(user: string): Promise<TestNats> {
  fileNats ??= startFileNats();
  const { server, passwords } = await fileNats;
  const password = passwords[user];
  if (password === undefined) throw new Error(`NATS has no user ${user}`);
  const passwordFile = join(mkdtempSync(join(inject('husky').folder, 'secret-')), `nats-${user}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  return { url: server.url, user, password, passwordFile };
}

/** Returns signers and verifiers that use the run's identity keys. */
export function testIdentities(): {
  keyFile(issuer: string): string;
  readonly trustFile: string;
  signerOf(issuer: string): IdentitySigner;
  verifierFor(audience: string): IdentityVerifier;
} {
  const { identityFolder } = inject('husky');
  const trustFile = join(identityFolder, 'trust.json');
  const keyFile = (issuer: string) => join(identityFolder, `${issuer}.key.json`);
  return {
    keyFile,
    trustFile,
    signerOf: (issuer) => createSigner(keyFile(issuer)),
    verifierFor: (audience) => createVerifier(trustFile, audience),
  };
}

/** Creates a client for 127.0.0.1 that signs its calls as `issuer`. */
export function testClient<D>(contract: ServiceContract<D>, port: number, issuer = 'gateway'): RpcClient<D> {
  return createRpcClient(contract, `127.0.0.1:${port}`, testIdentities().signerOf(issuer));
}
