import type { LadderRating } from '@husky/estimate/ladder-ratings';
import { at, ids, json, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type pg from 'pg';
import { runnerState, tableSize } from '../../domain/job.ts';
import { jobState, unfinishedStates } from '../../domain/job-state.ts';
import { isUnlistedKind } from '../../store/queue.ts';
import { failingSetsToPause, mostMatches } from '../domain/bad-matches.ts';
import { lockLadder } from './versions.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const seenMs = 60_000;
/** Sets whose results are awaited, at most. */
const maxOpenSets = 50;

/**
 * Returns whether another set may be planned: runners are free and nothing else waits for them, matches of at most one more set wait than runners
 * are free, and the pace of the event leaves room, evenly over day, hour and minute.
 */
export async function hasRoom(
  client: pg.Pool | pg.ClientBase,
  { hands, handsADay, now }: { readonly hands: number; readonly handsADay: number; readonly now: number },
): Promise<boolean> {
  const waiting = texts(unfinishedStates.filter((state) => state !== jobState.running));
  const planned = (ms: number) =>
    sql`(SELECT coalesce(sum(num_rounds * ${tableSize}::int), 0) FROM ladder_sets
         WHERE created_at > ${at(now - ms)} AND created_at <= ${at(now + hourMs)})`;
  const evenly = (ms: number) =>
    sql`${planned(ms)} + ${hands}::int <= greatest(${hands}::int, ${Math.ceil((handsADay * ms) / dayMs)}::int)`;
  const { rows } = await client.query<{ room: boolean }>(
    sql`SELECT NOT EXISTS (SELECT FROM jobs WHERE state = ANY (${texts([jobState.preparing, jobState.queued])}) AND kind <> 'LADDER')
          AND free > 0 AND (SELECT count(*) FROM jobs WHERE state = ANY (${waiting}) AND kind = 'LADDER') < free
          AND (SELECT count(*) FROM ladder_sets WHERE state = 'playing') < ${maxOpenSets}
          AND ${planned(dayMs)} + ${hands}::int <= ${handsADay}::int
          AND ${evenly(hourMs)} AND ${evenly(minuteMs)} AS room
        FROM (SELECT count(*) AS free FROM runners
              WHERE state = ${runnerState.idle} AND NOT cordoned AND last_seen > ${at(now - seenMs)}) AS runners`,
  );
  return rows[0]?.room === true;
}

export interface NewSet {
  readonly id: string;
  readonly numRounds: number;
  /** By seat of the first rotation. */
  readonly versionIds: readonly string[];
}

export async function insertSet(
  client: pg.ClientBase,
  { id, numRounds, versionIds }: NewSet,
  now: number,
): Promise<void> {
  await client.query(
    sql`INSERT INTO ladder_sets (id, num_rounds, created_at) VALUES (${id}, ${numRounds}, ${at(now)})`,
  );
  await client.query(
    sql`INSERT INTO ladder_seats (set_id, seat, version_id)
        SELECT ${id}, place - 1, version FROM unnest(${ids(versionIds)}) WITH ORDINALITY AS v(version, place)`,
  );
  await client.query(
    sql`UPDATE ladder_versions SET sets = sets + 1, last_set_at = ${at(now)} WHERE id = ANY (${ids(versionIds)})`,
  );
}

/** Returns the sets in play of which no match is unfinished, oldest first. */
export async function endedSets(
  pool: pg.Pool,
  limit: number,
): Promise<{ readonly id: string; readonly createdAt: Date }[]> {
  const { rows } = await pool.query(
    sql`SELECT id, created_at AS "createdAt" FROM ladder_sets s WHERE state = 'playing' AND NOT EXISTS (
          SELECT FROM jobs j WHERE j.deal_set_id = s.id AND j.state = ANY (${texts(unfinishedStates)}))
        ORDER BY created_at LIMIT ${limit}`,
  );
  return rows;
}

/** What a user's bot did in a set. */
export interface SeatResult {
  readonly userId: string;
  /** Chips without luck. */
  readonly value: number;
  readonly badMatches: number;
  /** Why it is paused if this is its last failing set. */
  readonly reason: string;
}

/** Counts a finished set as the next one, and pauses versions that failed in most matches of several sets in a row. No effect if it was counted. */
export function countSet(
  pool: pg.Pool,
  id: string,
  { hands, seats }: { readonly hands: number; readonly seats: readonly SeatResult[] },
  now: number,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockLadder(client);
    const counted = await client.query(
      sql`UPDATE ladder_sets SET state = 'finished', hands = ${hands}, ended_at = ${at(now)},
            number = 1 + coalesce((SELECT max(number) FROM ladder_sets), 0) WHERE id = ${id} AND state = 'playing'`,
    );
    if (counted.rowCount === 0) return;
    const { rows } = await client.query<{ userId: string; submissionId: string; reason: string; pauses: boolean }>(
      sql`WITH results AS (SELECT * FROM jsonb_to_recordset(${json(seats)})
              AS r("userId" uuid, value float8, "badMatches" int, reason text)),
            stored AS (UPDATE ladder_seats s SET number = (SELECT number FROM ladder_sets WHERE id = ${id}), value = r.value, bad_matches = r."badMatches"
              FROM ladder_versions v JOIN results r ON r."userId" = v.user_id WHERE s.set_id = ${id} AND v.id = s.version_id
              RETURNING v.id, r."badMatches" >= ${mostMatches} AS failing, r.reason,
                r."badMatches" >= ${mostMatches} AND v.failing_sets + 1 >= ${failingSetsToPause} AND NOT v.house AND v.paused_at IS NULL AS pauses)
          UPDATE ladder_versions v SET failing_sets = CASE WHEN failing THEN failing_sets + 1 ELSE 0 END,
            paused_at = CASE WHEN pauses THEN ${at(now)} ELSE paused_at END, pause_reason = CASE WHEN pauses THEN reason ELSE pause_reason END
          FROM stored WHERE v.id = stored.id
          RETURNING v.user_id AS "userId", v.submission_id AS "submissionId", reason, pauses`,
    );
    for (const paused of rows.filter(({ pauses }) => pauses)) {
      await emitAudit(
        client,
        'simulation',
        { kind: 'service', name: 'simulation' },
        {
          action: 'ladder.paused',
          subjectKind: 'submission',
          subjectId: paused.submissionId,
          after: { user_id: paused.userId, reason: paused.reason },
        },
      );
    }
  });
}

/** Ends a set that does not count: a match of it failed or was deleted. */
export async function voidSet(pool: pg.Pool, id: string, now: number): Promise<void> {
  await pool.query(
    sql`WITH ended AS (UPDATE ladder_sets SET state = 'void', ended_at = ${at(now)} WHERE id = ${id} AND state = 'playing' RETURNING id)
        UPDATE ladder_versions SET sets = sets - 1
        WHERE id IN (SELECT version_id FROM ladder_seats WHERE set_id = (SELECT id FROM ended))`,
  );
}

/** A set that counts. */
export interface CountedSet {
  readonly id: string;
  readonly number: number;
  readonly hands: number;
  readonly endedAt: Date;
  readonly seats: readonly {
    readonly player: string;
    readonly value: number;
    readonly predecessor: string | null;
    readonly userId: string;
    readonly version: number;
    /** Number of the predecessor; null: none. */
    readonly before: number | null;
    /** Its rating after the set is stored. */
    readonly rated: boolean;
  }[];
}

/** Returns the counted sets after a number, in order. */
export async function setsAfter(pool: pg.Pool, number: number, limit: number): Promise<CountedSet[]> {
  const { rows } = await pool.query<CountedSet>(
    sql`SELECT id, number::float8, hands, ended_at AS "endedAt",
          (SELECT json_agg(json_build_object('player', v.id, 'userId', v.user_id, 'version', v.number,
             'before', (SELECT number FROM ladder_versions p WHERE p.id = v.predecessor), 'value', s.value, 'predecessor', v.predecessor, 'rated', s.rating IS NOT NULL)
             ORDER BY s.seat) FROM ladder_seats s JOIN ladder_versions v ON v.id = s.version_id WHERE s.set_id = l.id) AS seats
        FROM ladder_sets l WHERE number > ${number} ORDER BY number LIMIT ${limit}`,
  );
  return rows;
}

/** Stores the ratings of a set's players after it, for their histories. */
export async function storeRatings(pool: pg.Pool, setId: string, ratings: readonly LadderRating[]): Promise<void> {
  await pool.query(
    sql`UPDATE ladder_seats s SET rating = r.rating, low = r.low, high = r.high
        FROM jsonb_to_recordset(${json(ratings)}) AS r(player uuid, rating float8, low float8, high float8)
        WHERE s.set_id = ${setId} AND s.version_id = r.player`,
  );
}

/** Deletes, at most `limit`, matches of the ladder and of trials that ended before a time; their results stay. Marks them; the sweeper purges them. */
export async function expireMatches(pool: pg.Pool, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    sql`UPDATE jobs SET state = ${jobState.deleting} WHERE id IN (
          SELECT j.id FROM (SELECT id, ended_at FROM ladder_sets UNION ALL SELECT id, ended_at FROM trial_sets) l JOIN jobs j ON j.deal_set_id = l.id
          WHERE l.ended_at < ${at(before)} AND ${isUnlistedKind(sql`j.kind`)} AND j.state = ANY (${texts([jobState.finished, jobState.failed])})
          ORDER BY l.ended_at LIMIT ${limit} FOR UPDATE OF j SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}

/** Returns the stored state of the ladder with the number and the end of its last set; undefined: none. */
export async function readState(pool: pg.Pool): Promise<{ number: number; endedAt: Date; bytes: Buffer } | undefined> {
  const { rows } = await pool.query(
    sql`SELECT s.number::float8, l.ended_at AS "endedAt", s.bytes FROM ladder_states s JOIN ladder_sets l ON l.number = s.number`,
  );
  return rows[0];
}

export async function saveState(pool: pg.Pool, number: number, bytes: Uint8Array): Promise<void> {
  await pool.query(
    sql`INSERT INTO ladder_states (id, number, bytes) VALUES (1, ${number}, ${Buffer.from(bytes)})
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, bytes = excluded.bytes WHERE ladder_states.number < excluded.number`,
  );
}
