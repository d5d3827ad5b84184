import { setTimeout as pause } from 'node:timers/promises';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { messageOf } from '@husky/runtime/rpc/errors';
import pg from 'pg';
import { CannotBackUp } from './manifest.ts';

export interface RecoveryOptions {
  readonly url: string;
  readonly password?: string | undefined;
  /** Seconds without progress after which it gives up. */
  readonly seconds: number;
  /** Gets a line about the state at the start and every 10 s, if it has changed. */
  onProgress(line: string): void;
}

const pollMs = 1000;
const reportEveryMs = 10_000;

/** Waits until a restored PostgreSQL has replayed its log and accepts changes. Throws CannotBackUp with the last state if it makes no progress. */
export async function waitForRecovery({ url, password, seconds, onProgress }: RecoveryOptions): Promise<void> {
  let reached = 0n;
  let progressMs = performance.now();
  let reported = '';
  let reportedMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const state = await readState(url, password).catch((error: unknown) => ({ text: messageOf(error), replayed: 0n }));
    if (state === undefined) {
      onProgress('the recovery has ended: PostgreSQL accepts changes');
      return;
    }
    const now = performance.now();
    if (state.replayed > reached) [reached, progressMs] = [state.replayed, now];
    if (now - reportedMs >= reportEveryMs && state.text !== reported) {
      onProgress(`waiting: ${state.text}`);
      [reported, reportedMs] = [state.text, now];
    }
    if (now - progressMs > seconds * 1000) {
      throw new CannotBackUp(`PostgreSQL has made no progress for ${seconds} s: ${state.text}.`);
    }
    await pause(pollMs);
  }
}

/** Returns how far the recovery is, in bytes of the log and as text; undefined when it has ended. */
async function readState(
  url: string,
  password: string | undefined,
): Promise<{ readonly replayed: bigint; readonly text: string } | undefined> {
  const client = new pg.Client({ ...connectionOptions(url, password), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ recovering: boolean; bytes: string | null; at: Date | null }>(
      `SELECT pg_is_in_recovery() AS recovering, (pg_last_wal_replay_lsn() - '0/0')::text AS bytes,
        pg_last_xact_replay_timestamp() AS at`,
    );
    const [row] = rows;
    if (row?.recovering !== true) return undefined;
    const text = `the log is replayed up to ${row.at?.toISOString() ?? 'the end of the backup'}`;
    return { replayed: BigInt(row.bytes ?? 0), text };
  } finally {
    await client.end().catch(() => undefined);
  }
}
