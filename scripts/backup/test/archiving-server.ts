import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { giveFolder, unprivilegedUser } from '@husky/platform/os-user';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { expect } from 'vitest';
import { renderedScript, withBackups } from '../../proof/chart/rendered-script.ts';
import { createBaseBackup } from '../base-backup.ts';

/** Starts a PostgreSQL that archives its log with the chart's script and has three facts and a base backup, `first`. */
export async function startArchivingServer() {
  const password = randomBytes(8).toString('hex');
  const folder = mkdtempSync(join(tmpdir(), 'husky-base-'));
  chmodSync(folder, 0o755);
  const wal = join(folder, 'wal');
  const backups = join(folder, 'backups');
  mkdirSync(wal);
  giveFolder(wal, unprivilegedUser());
  const script = join(folder, 'archive.sh');
  writeFileSync(script, renderedScript(withBackups, 'archive.sh', { '/var/lib/husky-backups': folder }));
  const archiving = ['archive_mode=on', `archive_command=sh ${script} %p %f`, 'wal_level=replica'];

  /** Starts PostgreSQL on a restored data folder; `settings`: `archiving`, or none. */
  async function startRestored(dataDir: string, settings: string[] = []): Promise<PostgresServer> {
    giveFolder(dataDir, unprivilegedUser());
    return startPostgres({ dataDir, port: await freePort(), password, settings });
  }

  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password,
    settings: archiving,
  });
  const client = await connect(server);
  await client.query('CREATE TABLE facts (id serial PRIMARY KEY, text text, filler text)');
  await client.query(
    `INSERT INTO facts (text, filler) SELECT 'old', repeat(md5(n::text), 30) FROM generate_series(1, 3) AS n`,
  );
  // As in a server that was itself restored to a point in time.
  await client.query(`ALTER SYSTEM SET recovery_target_time = '2020-01-01 00:00:00+00'`);
  const first = await createBaseBackup({ url: server.adminUrl, folder: backups, walFolder: wal, keep: 2 });

  return {
    folder,
    wal,
    backups,
    first,
    archiving,
    adminUrl: server.adminUrl,
    client,
    startRestored,
    /** Adds a row. Returns a time after its commit and before that of the next row, in full milliseconds, as in JavaScript. */
    async addFact(text: string): Promise<Date> {
      await client.query(sql`INSERT INTO facts (text) VALUES (${text})`);
      const { rows } = await client.query<{ at: Date }>(
        `SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' AS at FROM (SELECT pg_sleep(0.002)) AS paused`,
      );
      await client.query('SELECT pg_sleep(0.003)');
      return rows[0]?.at ?? new Date();
    },
    /** Waits until the current write-ahead log has been archived. */
    async waitUntilArchived(): Promise<void> {
      const { rows } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      const name = rows[0]?.name ?? '';
      await expect.poll(() => readdirSync(wal), { timeout: 60_000 }).toContain(`${name}.gz`);
    },
    /** Starts PostgreSQL on a restored data folder and returns the rows after recovery. */
    async readFacts(dataDir: string): Promise<string[]> {
      const restored = await startRestored(dataDir);
      try {
        const reader = await connect(restored);
        await expect
          .poll(async () => (await reader.query('SELECT pg_is_in_recovery() AS busy')).rows[0].busy, {
            timeout: 60_000,
          })
          .toBe(false);
        const { rows } = await reader.query<{ text: string }>('SELECT text FROM facts ORDER BY id');
        await reader.end();
        return rows.map((row) => row.text);
      } finally {
        await restored.stop();
      }
    },
    async stop(): Promise<void> {
      await client.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(to: PostgresServer): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: to.adminUrl });
  connected.on('error', () => undefined);
  await connected.connect();
  return connected;
}
