import { isDeepStrictEqual } from 'node:util';
import { settingsChanged } from '@husky/contracts/events';
import { DomainError } from '@husky/runtime/errors';
import { outboxRow } from '@husky/runtime/outbox';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { SettingsChange } from '../domain/event-settings.ts';
import { type OwnQuota, type Quota, quotaFields } from '../domain/quota.ts';
import type { Also } from './also.ts';
import { readEventQuota } from './quotas.ts';

export interface StoredSettings {
  readonly banner: string;
  readonly frozen: boolean;
  readonly tournament_start: Date;
  readonly tournament_end: Date;
  readonly home_board: string;
  readonly quota: OwnQuota;
  readonly version: number;
  readonly updated_at: Date;
  readonly updated_by: string | null;
}

const columns = 'banner, frozen, tournament_start, tournament_end, home_board, version, updated_at, updated_by';

export async function readSettings(client: pg.Pool | pg.ClientBase, lock = ''): Promise<StoredSettings> {
  const { rows } = await client.query<Omit<StoredSettings, 'quota'>>(
    `SELECT ${columns} FROM settings WHERE id = 1 ${lock}`,
  );
  const [settings] = rows;
  if (!settings) throw new Error('the row of settings is missing');
  return { ...settings, quota: await readEventQuota(client) };
}

/**
 * Changes what is given and tells the others; ABORTED when somebody else has changed them since `expectedVersion`. What
 * changes nothing is no change: no version, no audit record.
 */
export function saveSettings(
  pool: pg.Pool,
  change: SettingsChange,
  by: { readonly userId: string; readonly expectedVersion: number | undefined; readonly now: number },
  configured: Quota,
  also: (before: StoredSettings, after: StoredSettings) => Also,
): Promise<StoredSettings> {
  return inTransaction(pool, async (client) => {
    const before = await readSettings(client, 'FOR UPDATE');
    if (by.expectedVersion !== undefined && by.expectedVersion !== before.version) {
      const message = 'Somebody else has changed the settings since you opened them. Reload them first.';
      throw new DomainError('ABORTED', 'settings-changed', message);
    }
    const wanted = {
      banner: change.banner ?? before.banner,
      frozen: change.frozen ?? before.frozen,
      tournament_start: change.tournamentStart ?? before.tournament_start,
      tournament_end: change.tournamentEnd ?? before.tournament_end,
      home_board: change.homeBoard ?? before.home_board,
      quota: Object.fromEntries(quotaFields.map((field) => [field, change.quota[field] ?? before.quota[field]])),
    };
    if (wanted.tournament_start >= wanted.tournament_end) {
      throw new DomainError('INVALID_ARGUMENT', 'window-invalid', 'The tournament must end after it starts.');
    }
    const values = storedValues(wanted);
    if (isDeepStrictEqual(values, storedValues(before))) return before;
    await client.query(
      `UPDATE settings SET banner = $1, frozen = $2, tournament_start = $3, tournament_end = $4, home_board = $5,
         max_test_runs = $6, max_test_runs_a_day = $7, max_submissions = $8, max_uploads_a_day = $9, updated_at = $10,
         updated_by = $11, version = version + 1`,
      [...values, new Date(by.now), by.userId],
    );
    const after = await readSettings(client);
    const { maxSubmissions, maxUploadsADay } = { ...configured, ...after.quota };
    const news = { version: after.version, frozen: after.frozen, maxSubmissions, maxUploadsADay };
    const row = outboxRow(settingsChanged, news);
    await client.query('INSERT INTO outbox (subject, payload, trace_context) VALUES ($1, $2, $3)', [
      row.subject,
      Buffer.from(row.payload),
      row.traceContext,
    ]);
    await also(before, after)(client);
    return after;
  });
}

type Kept = Pick<StoredSettings, 'banner' | 'frozen' | 'tournament_start' | 'tournament_end' | 'home_board' | 'quota'>;

const storedValues = ({ banner, frozen, tournament_start, tournament_end, home_board, quota }: Kept) => [
  ...[banner, frozen, tournament_start, tournament_end, home_board],
  ...quotaFields.map((field) => quota[field] ?? null),
];

/** FAILED_PRECONDITION while the organisers' freeze stands. In a transaction a later freeze waits for its end. */
export async function refuseWhenFrozen(client: pg.Pool | pg.ClientBase, lock: '' | 'FOR SHARE' = ''): Promise<void> {
  const { frozen } = await readSettings(client, lock);
  if (frozen) throw new DomainError('FAILED_PRECONDITION', 'frozen', 'New matches are frozen by the organisers.');
}
