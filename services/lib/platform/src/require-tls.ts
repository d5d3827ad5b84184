import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { retry } from '@husky/runtime/process/retry';
import pg from 'pg';
import type { PostgresServer } from './postgres-server.ts';

/**
 * Makes a running PostgreSQL accept only TLS connections, with this certificate and key (PEM). Resolves when it refuses
 * plaintext. `adminUrl` of the server no longer works then.
 */
export async function requireTls(
  { adminUrl }: PostgresServer,
  { certificate, privateKey }: { readonly certificate: string; readonly privateKey: string },
): Promise<void> {
  const client = new pg.Client(connectionOptions(adminUrl));
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const dataDir = rows[0]?.data_directory ?? '';
    const { uid, gid } = statSync(dataDir);
    for (const [name, text] of [
      ['server.crt', certificate],
      ['server.key', privateKey],
    ] as const) {
      writeFileSync(join(dataDir, name), text, { mode: 0o600 });
      chownSync(join(dataDir, name), uid, gid);
    }
    writeFileSync(join(dataDir, 'pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
    await client.query('ALTER SYSTEM SET ssl = on');
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
  // The reload is asynchronous.
  await retry(() => expectPlaintextRefused(adminUrl), {
    firstPauseMs: 50,
    maxPauseMs: 50,
    maxMs: 10_000,
    retryIf: () => true,
  });
}

async function expectPlaintextRefused(url: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  try {
    await client.connect();
  } catch (error) {
    if (String(error).includes('no encryption')) return;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
  throw new Error('PostgreSQL still accepts plaintext');
}
