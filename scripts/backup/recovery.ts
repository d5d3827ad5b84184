import { setTimeout as pause } from 'node:timers/promises';
import { connectionOptions } from '@husky/runtime/database-url';
import { messageOf } from '@husky/runtime/errors';
import pg from 'pg';
import { CannotBackUp } from './manifest.ts';

export interface RecoveryOptions {
  readonly url: string;
  readonly password?: string | undefined;
  /** Seconds without any progress after which it gives up. */
  readonly seconds: number;
  /** Gets a line at the start and whenever the state has changed, at most every 10 s. */
  onProgress(line: string): void;
}

const pollMs = 1000;
const reportEveryMs = 10_000;

/** Waits until a restored PostgreSQL has replayed its log and accepts changes. Throws CannotBackUp with the last state if it makes no progress. */
export async function waitForRecovery({ url, password, seconds, onProgress }: RecoveryOptions): Promise<void> {
  let state = '';
  let changedMs = performance.now();
  let reportedMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const current = await readState(url, password).catch((error: unknown) => messageOf(error));
    if (current === undefined) {
      onProgress('the recovery has ended: PostgreSQL accepts changes');
      return;
    }
    const now = performance.now();
    if (current !== state) [state, changedMs] = [current, now];
    if (now - reportedMs >= reportEveryMs && changedMs > reportedMs) {
      onProgress(`waiting: ${state}`);
      reportedMs = now;
    }
    if (now - changedMs > seconds * 1000) {
      throw new CannotBackUp(`PostgreSQL has made no progress for ${seconds} s: ${state}.`);
    }
    await pause(pollMs);
  }
}

/** Returns how far the recovery is; undefined when it has ended. */
async function readState(url: string, password: string | undefined): Promise<string | undefined> {
  const client = new pg.Client({
    ...connectionOptions(url, password),
    connectionTimeoutMillis: 5000,
  } as pg.ClientConfig);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ recovering: boolean; lsn: string | null; at: Date | null }>(
      `SELECT pg_is_in_recovery() AS recovering, pg_last_wal_replay_lsn()::text AS lsn, pg_last_xact_replay_timestamp() AS at`,
    );
    const [row] = rows;
    if (row?.recovering !== true) return undefined;
    return `the log is replayed up to ${row.at?.toISOString() ?? 'the end of the backup'} (${row.lsn})`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
