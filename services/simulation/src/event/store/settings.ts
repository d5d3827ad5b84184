import { isDeepStrictEqual } from 'node:util';
import { settingsChanged } from '@husky/contracts/events';
import { at, empty, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { AuditWriter } from '../../store/audit.ts';
import { type Quota, type QuotaOverride, quotaFields } from '../domain/quota.ts';
import type { SettingsChange } from '../domain/settings.ts';
import { readEventQuota } from './quotas.ts';

export interface EventSettings {
  readonly banner: string;
  readonly frozen: boolean;
  /** When it was frozen; null: not frozen. */
  readonly frozenAt: Date | null;
  readonly tournamentStart: Date;
  readonly tournamentEnd: Date;
  readonly homeBoard: string;
  /** Days; 0: for ever. */
  readonly keepTestRunsDays: number;
  readonly keepLogsDays: number;
  /** Null: the variable LADDER applies. */
  readonly ladder: boolean | null;
  /** Of a rotation. */
  readonly ladderHands: number;
  readonly ladderHandsADay: number;
  /** Days; 0: for ever. */
  readonly keepLadderDays: number;
  readonly quota: QuotaOverride;
  readonly version: number;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

/** Returns whether the ladder plays: as admins have said, else as the variable LADDER says. */
export const isLadderOn = (
  { settings }: { readonly settings: { readonly ladder: boolean } },
  { ladder }: Pick<EventSettings, 'ladder'>,
): boolean => ladder ?? settings.ladder;

export function readSettings(client: pg.Pool | pg.ClientBase): Promise<EventSettings> {
  return readRow(client, empty);
}

async function readRow(client: pg.Pool | pg.ClientBase, lock: Sql): Promise<EventSettings> {
  const { rows } = await client.query<Omit<EventSettings, 'quota'>>(
    sql`SELECT banner, frozen, frozen_at AS "frozenAt", tournament_start AS "tournamentStart", tournament_end AS "tournamentEnd",
          home_board AS "homeBoard", keep_test_runs_days AS "keepTestRunsDays", keep_logs_days AS "keepLogsDays", ladder,
          ladder_hands AS "ladderHands", ladder_hands_a_day AS "ladderHandsADay", keep_ladder_days AS "keepLadderDays", version, updated_at AS "updatedAt", updated_by AS "updatedBy"
        FROM settings WHERE id = 1 ${lock}`,
  );
  const [settings] = rows;
  if (!settings) throw new Error('the row of settings is missing');
  return { ...settings, quota: await readEventQuota(client) };
}

/**
 * Saves a change of the settings and publishes settings_changed. Throws ABORTED if they have changed since `expectedVersion`.
 * A change to the same values has no effect: no new version, no event, no audit record.
 */
export function saveSettings(
  pool: pg.Pool,
  change: SettingsChange,
  by: { readonly userId: string; readonly expectedVersion: number | undefined; readonly now: number },
  configured: Quota,
  auditWriterFor: (before: EventSettings, after: EventSettings) => AuditWriter,
): Promise<EventSettings> {
  return inTransaction(pool, async (client) => {
    const before = await readRow(client, sql`FOR UPDATE`);
    if (by.expectedVersion !== undefined && by.expectedVersion !== before.version) {
      const message = 'Somebody else has changed the settings since you opened them. Reload them first.';
      throw new DomainError('ABORTED', 'settings-changed', message);
    }
    const values = applyChange(before, change);
    if (values.tournamentStart >= values.tournamentEnd) {
      throw new DomainError('INVALID_ARGUMENT', 'window-invalid', 'The tournament must end after it starts.');
    }
    if (isDeepStrictEqual(values, applyChange(before, { quota: {} }))) return before;
    await client.query(
      sql`UPDATE settings SET banner = ${values.banner}, frozen = ${values.frozen},
            frozen_at = CASE WHEN ${values.frozen} THEN coalesce(frozen_at, ${at(by.now)}) END,
            tournament_start = ${values.tournamentStart}, tournament_end = ${values.tournamentEnd},
            home_board = ${values.homeBoard}, keep_test_runs_days = ${values.keepTestRunsDays},
            keep_logs_days = ${values.keepLogsDays}, ladder = ${values.ladder}, ladder_hands = ${values.ladderHands},
            ladder_hands_a_day = ${values.ladderHandsADay}, keep_ladder_days = ${values.keepLadderDays}, max_test_runs = ${values.maxTestRuns},
            max_test_runs_a_day = ${values.maxTestRunsADay}, max_submissions = ${values.maxSubmissions},
            max_uploads_a_day = ${values.maxUploadsADay}, max_challenges_a_day = ${values.maxChallengesADay},
            max_trial_hands_a_day = ${values.maxTrialHandsADay}, updated_at = ${at(by.now)}, updated_by = ${by.userId},
            version = version + 1`,
    );
    const after = await readSettings(client);
    const { version, frozen } = after;
    const { maxSubmissions, maxUploadsADay } = { ...configured, ...after.quota };
    await emit(client, settingsChanged, { version, frozen, maxSubmissions, maxUploadsADay });
    await auditWriterFor(before, after)(client);
    return after;
  });
}

type Values = Pick<
  EventSettings,
  | ('banner' | 'frozen' | 'tournamentStart' | 'tournamentEnd' | 'homeBoard' | 'keepTestRunsDays' | 'keepLogsDays')
  | ('ladder' | 'ladderHands' | 'ladderHandsADay' | 'keepLadderDays')
> & {
  readonly [K in keyof Quota]: number | null;
};

function applyChange(before: EventSettings, change: SettingsChange): Values {
  const limits = quotaFields.map((field) => [field, change.quota[field] ?? before.quota[field] ?? null]);
  return {
    banner: change.banner ?? before.banner,
    frozen: change.frozen ?? before.frozen,
    tournamentStart: change.tournamentStart ?? before.tournamentStart,
    tournamentEnd: change.tournamentEnd ?? before.tournamentEnd,
    homeBoard: change.homeBoard ?? before.homeBoard,
    keepTestRunsDays: change.keepTestRunsDays ?? before.keepTestRunsDays,
    keepLogsDays: change.keepLogsDays ?? before.keepLogsDays,
    ladder: change.ladder ?? before.ladder,
    ladderHands: change.ladderHands ?? before.ladderHands,
    ladderHandsADay: change.ladderHandsADay ?? before.ladderHandsADay,
    keepLadderDays: change.keepLadderDays ?? before.keepLadderDays,
    ...(Object.fromEntries(limits) as Record<keyof Quota, number | null>),
  };
}

/** Throws FAILED_PRECONDITION while the event is frozen. `untilCommit`: locks the row, so that a freeze waits for the end of the transaction. */
export async function refuseWhenFrozen(client: pg.Pool | pg.ClientBase, lock?: 'untilCommit'): Promise<void> {
  const { frozen } = await readRow(client, lock ? sql`FOR SHARE` : empty);
  if (!frozen) return;
  throw new DomainError('FAILED_PRECONDITION', 'frozen', 'New matches are frozen by the organisers.');
}
