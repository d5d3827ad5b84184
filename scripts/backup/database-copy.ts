import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { databaseServices, schemaOf } from '../up/database.ts';

// https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA
const excludedFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const excludedFiles =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|current_logfiles|backup_label.*|password)$/;
const controlFile = 'global/pg_control';

export interface Entry {
  /** Path inside the data folder of PostgreSQL. */
  readonly name: string;
  readonly folder: boolean;
  readonly bytes: number;
}

/** Lists the entries of a physical copy of a data folder, without the write-ahead log and with the control file last. */
export function listDatabaseFiles(dataDir: string, under = ''): Entry[] {
  const entries: Entry[] = [];
  for (const entry of readdirSync(join(dataDir, under), { withFileTypes: true })) {
    const name = join(under, entry.name);
    if (entry.isDirectory()) {
      entries.push({ name, folder: true, bytes: 0 });
      if (!excludedFolders.has(name) && !entry.name.startsWith('pgsql_tmp')) {
        entries.push(...listDatabaseFiles(dataDir, name));
      }
    } else if (entry.isFile() && !excludedFiles.test(entry.name)) {
      // Temporary files may disappear at any time.
      const bytes = statSync(join(dataDir, name), { throwIfNoEntry: false })?.size;
      if (bytes !== undefined && name !== controlFile) entries.push({ name, folder: false, bytes });
    }
  }
  if (under === '') {
    entries.push({ name: 'pg_wal/archive_status', folder: true, bytes: 0 });
    entries.push({ name: controlFile, folder: false, bytes: statSync(join(dataDir, controlFile)).size });
  }
  return entries;
}

/** The end of a physical copy: the backup label for recovery, and the segments of the write-ahead log that recovery needs. */
export interface CopyEnd {
  readonly label: string;
  readonly segments: readonly string[];
}

/** A session of PostgreSQL's low-level backup. Files may be copied between `begin` and `end` while the server changes them. */
export class DatabaseCopy {
  readonly #client: pg.Client;
  #firstSegment = '';

  constructor(adminUrl: string) {
    this.#client = new pg.Client(connectionOptions(adminUrl));
    this.#client.on('error', () => undefined);
  }

  /** Makes a checkpoint. From then on a temporary slot keeps the write-ahead log; it is dropped with this connection. */
  async begin(): Promise<void> {
    await this.#client.connect();
    const slot = `husky_backup_${randomBytes(4).toString('hex')}`;
    await this.#client.query(sql`SELECT pg_create_physical_replication_slot(${slot}, true, true)`);
    const { rows } = await this.#client.query<{ segment: string }>(
      `SELECT pg_walfile_name(pg_backup_start('husky', true)) AS segment`,
    );
    this.#firstSegment = rows[0]?.segment ?? '';
  }

  /** Ends the copy. Recovery restores the state at this time. */
  async end(dataDir: string): Promise<CopyEnd> {
    const { rows } = await this.#client.query<{ labelfile: string; lsn: string; segment: string }>(
      'SELECT labelfile, lsn, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)',
    );
    const [stopped] = rows;
    if (stopped === undefined) throw new Error('PostgreSQL did not end the backup');
    const segments = readdirSync(join(dataDir, 'pg_wal'))
      .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= this.#firstSegment && name <= stopped.segment)
      .sort();
    if (segments[0] !== this.#firstSegment) throw new Error('PostgreSQL did not keep its write-ahead log');
    return { label: stopped.labelfile, segments };
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/** Returns the names of the applied migrations by schema. */
export async function readAppliedMigrations(adminUrl: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(connectionOptions(adminUrl));
  await client.connect();
  try {
    const migrations: Record<string, string[]> = {};
    for (const service of databaseServices) {
      const { rows } = await client.query<{ migration_name: string }>(
        `SELECT migration_name FROM "${schemaOf(service)}"._prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1`,
      );
      migrations[schemaOf(service)] = rows.map((row) => row.migration_name);
    }
    return migrations;
  } finally {
    await client.end();
  }
}
