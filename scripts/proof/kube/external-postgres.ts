// A PostgreSQL process on this machine, outside of the cluster, which accepts only TLS connections, with a certificate of its own CA.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { startPostgres } from '@husky/platform/postgres-server';
import { requireTls } from '@husky/platform/require-tls';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';
import pg from 'pg';
import { apply } from './cluster.ts';

export interface ExternalPostgres {
  readonly port: number;
  /** Password of the superuser `postgres`. */
  readonly password: string;
  /** Certificate of the CA, PEM. */
  readonly ca: string;
  /** Runs a statement as the superuser in the database `postgres`. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Stops the process and deletes its data. */
  stop(): Promise<void>;
}

/** Starts the server on `address` and localhost. Its certificate is valid for `hostName` and localhost. */
export async function startExternalPostgres(address: string, hostName: string): Promise<ExternalPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-postgres-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  const password = randomBytes(12).toString('base64url');
  const port = await freePort();
  const authority = await createAuthority('husky-e2e database');
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, authority.certificate);
  const url = `postgresql://postgres:${password}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`;
  const server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port,
    password,
    throwAway: true,
    settings: [`listen_addresses=127.0.0.1,${address}`, 'max_connections=400'],
  });
  // A run that is aborted exits without stop().
  const kill = () => void process.kill(server.pid, 'SIGQUIT');
  process.once('exit', kill);
  void server.exited.then(() => process.removeListener('exit', kill));
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await requireTls(server, await issueCertificate(authority, [hostName, 'localhost']));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    password,
    ca: authority.certificate,
    stop,
    async query<Row extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client(connectionOptions(url));
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** Creates a Service on port 5432 that leads to a server outside of the cluster. */
export function createService(name: string, namespace: string, address: string, port: number): void {
  const spec = { ports: [{ port: 5432, targetPort: port }] };
  apply({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec });
  apply({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ port, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  });
}
