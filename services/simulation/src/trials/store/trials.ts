import type { TrialPair, TrialVerdict } from '@husky/estimate/trial';
import { at, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Page } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import { jobState, unfinishedStates } from '../../domain/job-state.ts';
import { dayMs } from '../../domain/test-run-quota.ts';
import {
  type DifferentHand,
  decide,
  handsOfSet,
  mostDifferent,
  opponentLeft,
  type TrialRule,
  type TrialSeats,
  type TrialUse,
} from '../domain/trial.ts';

export type TrialState = 'playing' | 'finished' | 'cancelled' | 'failed';

export interface StoredTrial extends TrialRule {
  readonly id: string;
  readonly ownerId: string;
  /** Ids of submissions. */
  readonly a: string;
  readonly b: string;
  readonly seats: TrialSeats;
  readonly state: TrialState;
  readonly problem: string;
  readonly verdict: TrialVerdict | null;
  readonly different: readonly DifferentHand[];
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** A deal set. `low`, `high`: null: nothing is excluded yet; in big blinds per 100 hands, as `estimate`. */
export interface StoredSet {
  readonly id: string;
  readonly planned: number;
  readonly number: number | null;
  readonly difference: number | null;
  readonly hands: number;
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly dealKey: string | null;
  readonly createdAt: Date;
}

const columns = sql`t.id, t.owner_id AS "ownerId", t.a, t.b, t.field, t.alpha, t.margin, t.max_hands AS "maxHands", t.num_rounds AS "numRounds",
  t.seats, t.state, t.problem, t.verdict, t.different, t.created_at AS "createdAt", t.ended_at AS "endedAt"`;
const setColumns = sql`s.id, s.planned, s.number, s.difference, s.hands, s.estimate, s.low, s.high, encode(s.deal_key, 'hex') AS "dealKey", s.created_at AS "createdAt"`;

async function readTrials(client: pg.Pool | pg.ClientBase, rest: Sql): Promise<StoredTrial[]> {
  const { rows } = await client.query<StoredTrial>(sql`SELECT ${columns} FROM trials t ${rest}`);
  return rows;
}

/** Holds the advisory lock of a user's trials until the transaction ends, so that concurrent requests cannot exceed a limit. */
export async function lockTrialsOf(client: pg.ClientBase, ownerId: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, 19))`);
}

/** Reads what a user has used of the limits on trials. One in play uses its whole budget. */
export async function trialUse(client: pg.Pool | pg.ClientBase, ownerId: string, now: number): Promise<TrialUse> {
  const { rows } = await client.query<{ unfinished: number; hands: number; oldest: Date | null }>(
    sql`SELECT count(*) FILTER (WHERE state = 'playing')::int AS unfinished,
          coalesce(sum(CASE state WHEN 'playing' THEN max_hands
            ELSE (SELECT count(*) FROM trial_sets s WHERE s.trial_id = t.id) * ${handsOfSet({ numRounds: 1 })} * num_rounds END)
            FILTER (WHERE created_at > ${at(now - dayMs)}), 0)::float8 AS hands,
          min(created_at) FILTER (WHERE created_at > ${at(now - dayMs)}) AS oldest
        FROM trials t WHERE owner_id = ${ownerId} AND (created_at > ${at(now - dayMs)} OR state = 'playing')`,
  );
  const { unfinished = 0, hands = 0, oldest = null } = rows[0] ?? {};
  return { unfinished, hands, oldest: oldest?.getTime() ?? null };
}

export type NewTrial = TrialRule & Pick<StoredTrial, 'id' | 'ownerId' | 'a' | 'b' | 'seats'>;

export async function insertTrial(client: pg.ClientBase, trial: NewTrial, now: number): Promise<void> {
  const { id, ownerId, a, b, field, alpha, margin, maxHands, numRounds, seats } = trial;
  await client.query(
    sql`INSERT INTO trials (id, owner_id, a, b, field, alpha, margin, max_hands, num_rounds, seats, created_at)
        VALUES (${id}, ${ownerId}, ${a}, ${b}, ${field}, ${alpha}, ${margin}, ${maxHands}, ${numRounds}, ${json(seats)}, ${at(now)})`,
  );
}

export async function findTrial(pool: pg.Pool, id: string): Promise<StoredTrial | undefined> {
  return (await readTrials(pool, sql`WHERE t.id = ${id}`))[0];
}

/** Locks a trial that is in play until the transaction ends. */
async function lockPlaying(client: pg.ClientBase, id: string): Promise<StoredTrial | undefined> {
  return (await readTrials(client, sql`WHERE t.id = ${id} AND t.state = 'playing' FOR UPDATE`))[0];
}

export async function listTrials(
  pool: pg.Pool,
  ownerId: string,
  { skip, take }: Page,
): Promise<{ trials: StoredTrial[]; total: number }> {
  const trials = await readTrials(
    pool,
    sql`WHERE t.owner_id = ${ownerId} ORDER BY t.created_at DESC, t.id OFFSET ${skip} LIMIT ${take}`,
  );
  const { rows } = await pool.query<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM trials WHERE owner_id = ${ownerId}`,
  );
  return { trials, total: rows[0]?.total ?? 0 };
}

export const playingTrials = (pool: pg.Pool): Promise<StoredTrial[]> =>
  readTrials(pool, sql`WHERE t.state = 'playing' ORDER BY t.created_at`);

/** Returns the sets of a trial that count, in order. */
export async function countedSets(client: pg.Pool | pg.ClientBase, trialId: string): Promise<StoredSet[]> {
  const { rows } = await client.query<StoredSet>(
    sql`SELECT ${setColumns} FROM trial_sets s WHERE trial_id = ${trialId} AND state = 'finished' ORDER BY number`,
  );
  return rows;
}

/** Returns the last set that counts, of each of these trials that has one; `hands` are those of all sets. */
export async function lastSets(pool: pg.Pool, trialIds: readonly string[]): Promise<ReadonlyMap<string, StoredSet>> {
  const { rows } = await pool.query<StoredSet & { trialId: string }>(
    sql`SELECT DISTINCT ON (s.trial_id) s.trial_id AS "trialId", ${setColumns}, (sum(s.hands) OVER (PARTITION BY s.trial_id))::int AS hands FROM trial_sets s
        WHERE s.trial_id = ANY (${[...trialIds]}::uuid[]) AND s.state = 'finished' ORDER BY s.trial_id, s.number DESC`,
  );
  return new Map(rows.map((row) => [row.trialId, row]));
}

export async function countVoid(client: pg.Pool | pg.ClientBase, trialId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM trial_sets WHERE trial_id = ${trialId} AND state = 'void'`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the sets of a trial in play, in the order in which they were planned. */
export async function playingSets(client: pg.Pool | pg.ClientBase, trialId: string): Promise<StoredSet[]> {
  const { rows } = await client.query<StoredSet>(
    sql`SELECT ${setColumns} FROM trial_sets s WHERE trial_id = ${trialId} AND state = 'playing' ORDER BY planned`,
  );
  return rows;
}

/** Stores the hashes of packages that were not known when the trial was created. */
export async function storeSeats(pool: pg.Pool, id: string, seats: TrialSeats): Promise<void> {
  await pool.query(sql`UPDATE trials SET seats = ${json(seats)} WHERE id = ${id}`);
}

/**
 * Plans the next set of a trial in the transaction of `insert`, which inserts its matches. Returns false, without a set, if the trial has ended or
 * `mayPlan` refuses after so many sets that count and are in play.
 */
export function planNext(
  pool: pg.Pool,
  trialId: string,
  { setId, now }: { readonly setId: string; readonly now: number },
  mayPlan: (counted: number, playing: number) => boolean,
  insert: (client: pg.ClientBase) => Promise<void>,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (!(await lockPlaying(client, trialId))) return false;
    const { rows } = await client.query<{ counted: number; playing: number; next: number }>(
      sql`SELECT count(*) FILTER (WHERE state = 'finished')::int AS counted, count(*) FILTER (WHERE state = 'playing')::int AS playing,
            (1 + coalesce(max(planned), 0))::int AS next FROM trial_sets WHERE trial_id = ${trialId}`,
    );
    const { counted = 0, playing = 0, next = 1 } = rows[0] ?? {};
    if (!mayPlan(counted, playing)) return false;
    await client.query(
      sql`INSERT INTO trial_sets (id, trial_id, planned, created_at) VALUES (${setId}, ${trialId}, ${next}, ${at(now)})`,
    );
    await insert(client);
    return true;
  });
}

export interface PlayedSet {
  readonly id: string;
  readonly pair: TrialPair;
  readonly dealKey: Uint8Array;
  readonly different: readonly Omit<DifferentHand, 'set'>[];
}

/** Counts a set as the next one of its trial, which it may decide. `isLast`: the budget ends with so many sets. No effect if it was counted or the trial has ended. */
export function countSet(
  pool: pg.Pool,
  trialId: string,
  { id, pair, dealKey, different }: PlayedSet,
  isLast: (sets: number) => boolean,
  now: number,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const trial = await lockPlaying(client, trialId);
    const [first] = await playingSets(client, trialId);
    if (!trial || first?.id !== id) return;
    const sets = await countedSets(client, trialId);
    const pairs = sets.map(({ difference, hands }) => ({ difference: difference ?? 0, hands }));
    const { verdict, estimate, low, high } = decide([...pairs, pair], trial);
    const number = sets.length + 1;
    await client.query(
      sql`UPDATE trial_sets SET state = 'finished', number = ${number}, difference = ${pair.difference}, hands = ${pair.hands},
            estimate = ${estimate}, low = ${low}, high = ${high}, deal_key = ${Buffer.from(dealKey)}, ended_at = ${at(now)} WHERE id = ${id}`,
    );
    const hands = mostDifferent([...trial.different, ...different.map((hand) => ({ ...hand, set: number }))]);
    await client.query(sql`UPDATE trials SET different = ${json(hands)} WHERE id = ${trialId}`);
    if (verdict !== 'undecided' || isLast(number)) await end(client, trialId, { state: 'finished', verdict }, now);
  });
}

export async function voidSet(pool: pg.Pool, id: string, now: number): Promise<void> {
  await pool.query(
    sql`UPDATE trial_sets SET state = 'void', ended_at = ${at(now)} WHERE id = ${id} AND state = 'playing'`,
  );
}

interface TrialEnd {
  readonly state: Exclude<TrialState, 'playing'>;
  readonly verdict?: TrialVerdict;
  readonly problem?: string;
}

/** Ends a trial that is in play: its sets in play are void, and the sweeper releases its pins. Returns false, without a change, for another one. */
async function end(
  client: pg.ClientBase,
  id: string,
  { state, verdict, problem = '' }: TrialEnd,
  now: number,
): Promise<boolean> {
  const ended = await client.query(
    sql`UPDATE trials SET state = ${state}, verdict = ${verdict ?? null}, problem = ${problem}, ended_at = ${at(now)}
        WHERE id = ${id} AND state = 'playing'`,
  );
  if (ended.rowCount === 0) return false;
  await client.query(
    sql`UPDATE trial_sets SET state = 'void', ended_at = ${at(now)} WHERE trial_id = ${id} AND state = 'playing'`,
  );
  await client.query(
    sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`,
  );
  return true;
}

/** As `end`, in a transaction of its own. `more`: runs in it if the trial was in play. */
export function endTrial(
  pool: pg.Pool,
  id: string,
  how: TrialEnd,
  now: number,
  more?: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    if (await end(client, id, how, now)) await more?.(client);
  });
}

/** Returns unfinished matches of trials or sets that have ended. */
export async function matchesToStop(pool: pg.Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    sql`SELECT j.id FROM jobs j JOIN trial_sets s ON s.id = j.deal_set_id
        WHERE j.kind = 'TRIAL' AND j.state = ANY (${texts(unfinishedStates)}) AND s.state <> 'playing' LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Ends the trials in play of a deleted user, and those against their bot. Idempotent. */
export async function endTrialsWith(pool: pg.Pool, userId: string, now: number): Promise<void> {
  const trials = await readTrials(pool, sql`WHERE t.state = 'playing' AND t.seats @> ${json([{ userId }])}`);
  for (const { id } of trials) await endTrial(pool, id, { state: 'failed', problem: opponentLeft }, now);
}

/** Deletes the trials of a deleted user, which have ended, with their matches, which only this user could see. Idempotent. */
export async function deleteTrialsOf(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(
    sql`UPDATE jobs SET state = ${jobState.deleting}
        WHERE kind = 'TRIAL' AND owner_id = ${userId} AND state = ANY (${texts([jobState.finished, jobState.failed])})`,
  );
  await pool.query(sql`DELETE FROM trials WHERE owner_id = ${userId}`);
}
