import { tournamentEnded } from '@husky/contracts/events';
import { canonicalJson, sha256Hex } from '@husky/match/commitment';
import type { Placed } from '@husky/match/tournament-ranking';
import { at, json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { BatchState } from '../../domain/batch-state.ts';
import type { SeatPlan } from '../../domain/job.ts';
import { type BatchPlan, insertBatchRow } from '../../store/batches.ts';
import { appendCommitments } from '../../store/commitments.ts';
import { closeIntent } from '../../store/pin-intents.ts';
import { openNames, storePlan, type Usernames } from '../../store/plans.ts';
import { decisionSums } from '../../store/runners.ts';
import { tell } from './news.ts';
import { lockTournament, type StoredStage, type Tournament } from './tournaments.ts';

const service = { kind: 'service', name: 'simulation' } as const;

const audit = (client: pg.ClientBase, { id }: Pick<Tournament, 'id'>, verb: string, after: object) =>
  emitAudit(client, 'simulation', service, {
    action: `tournament.${verb}`,
    subjectKind: 'tournament',
    subjectId: id,
    after,
  });

const moved = () => new DomainError('ABORTED', 'tournament-changed', 'This tournament has changed meanwhile.');

/**
 * Freezes the entrants of an open tournament, whose pins `pinHolder` has: writes their list and its record, before any seed of the tournament is drawn.
 * Throws ABORTED if the tournament has changed since it was read, ChainBroken while the chain is broken.
 */
export function freezeEntrants(
  pool: pg.Pool,
  { id, version }: Tournament,
  {
    pinHolder,
    entrants,
    names,
    now,
  }: { pinHolder: string; entrants: readonly SeatPlan[]; names: Usernames; now: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const tournament = await lockTournament(client, sql`id = ${id}`);
    if (tournament.state !== 'open' || tournament.version !== version) throw moved();
    const rows = entrants.map(({ nonce = '', ...entrant }) => ({ ...entrant, nonce }));
    await client.query(
      sql`INSERT INTO tournament_entrants (tournament_id, user_id, bot_hash, packages_hash, nonce)
          SELECT ${id}, "userId", "botHash", "packagesHash", nonce
          FROM jsonb_to_recordset(${json(rows)}) AS e("userId" uuid, "botHash" text, "packagesHash" text, nonce text)`,
    );
    await client.query(
      sql`UPDATE tournaments SET state = 'frozen', problem = '', pin_holder = ${pinHolder}, frozen_at = ${at(now)}, version = version + 1 WHERE id = ${id}`,
    );
    const { openings, hashOf } = await openNames(client, rows, names);
    const text = canonicalJson({
      entryDeadline: tournament.entryDeadline.toISOString(),
      id,
      kind: 'tournament',
      roster: rows.map(({ userId, botHash, nonce }) => ({ botHash, nameHash: hashOf(userId), nonce, userId })),
      slug: tournament.slug,
      stages: tournament.stages.map(({ spec, batchId }) => ({ ...spec, batchId })),
      version: 1,
    });
    await closeIntent(client, pinHolder);
    await audit(client, tournament, 'frozen', { entrants: rows.length });
    await tell(
      client,
      tournament,
      'ENTERED',
      rows.map(({ userId }) => userId),
    );
    const hash = sha256Hex(text);
    const [number] = await appendCommitments(client, [{ kind: 'plan', id, commitment: hash }], now);
    await storePlan(client, { id, text, hash, number: number ?? 0, beacon: null }, openings);
  });
}

/** Ends a tournament that cannot be played. */
export async function giveUp(pool: pg.Pool, { id, version }: Tournament, problem: string, now: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`UPDATE tournaments SET state = 'cancelled', problem = ${problem}, ended_at = ${at(now)}, version = version + 1
          WHERE id = ${id} AND version = ${version}`,
    );
    if (rowCount === 1) await audit(client, { id }, 'cancelled', { problem });
  });
}

/** Moves a tournament from one state to another; no effect if it is in a third one. */
export async function advanceTournament(
  pool: pg.Pool,
  tournament: Tournament,
  {
    from,
    to,
    problem = '',
    championId = null,
    now,
  }: { from: string; to: string; problem?: string; championId?: string | null; now: number },
): Promise<void> {
  const started = to === 'running' ? sql`coalesce(started_at, ${at(now)})` : sql`started_at`;
  const ended = to === 'finished' ? sql`${at(now)}` : sql`ended_at`;
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`UPDATE tournaments SET state = ${to}, problem = ${problem}, champion_id = ${championId}, started_at = ${started}, ended_at = ${ended},
            version = version + 1 WHERE id = ${tournament.id} AND state = ${from}`,
    );
    if (rowCount !== 1) return;
    if (to === 'finished' && !tournament.ceremony) await publishResults(client, tournament);
    await audit(client, tournament, to === 'running' ? 'started' : to, { problem, champion_id: championId });
  });
}

/** Publishes the results of the last stage, in the transaction that makes them public. */
export async function publishResults(client: pg.ClientBase, tournament: Tournament): Promise<void> {
  const { id, slug, stages } = tournament;
  const { rows: results } = await client.query<{ userId: string; delta: number }>(
    sql`SELECT user_id AS "userId", delta::float8 FROM tournament_results WHERE tournament_id = ${id} AND number = ${stages.length} ORDER BY place`,
  );
  await emit(client, tournamentEnded, { tournamentId: id, slug, results });
  const { rows: entrants } = await client.query<{ userId: string }>(
    sql`SELECT user_id AS "userId" FROM tournament_entrants WHERE tournament_id = ${id}`,
  );
  await tell(
    client,
    tournament,
    'RESULTS',
    entrants.map(({ userId }) => userId),
  );
}

/** Creates the batch of a pending stage, sealed unless it is public. No effect unless the tournament is running. */
export function startStage(
  pool: pg.Pool,
  { id }: Tournament,
  { number }: StoredStage,
  batch: BatchPlan,
  now: number,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { state, stages } = await lockTournament(client, sql`id = ${id}`);
    if (state !== 'running' || stages.find((one) => one.number === number)?.state !== 'pending') return;
    await insertBatchRow(client, batch, now, true);
    if (!batch.isPublic) await client.query(sql`UPDATE batches SET sealed = true WHERE id = ${batch.id}`);
    await client.query(
      sql`UPDATE tournament_stages SET state = 'running', started_at = ${at(now)} WHERE tournament_id = ${id} AND number = ${number}`,
    );
  });
}

export interface StageResult extends Placed {
  readonly matches: number;
  /** Chips per 100 hands without luck, and the 95 % interval; null: unknown. */
  readonly adjusted: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Stores the standing of a stage that has ended. No effect if it is stored. */
export function finishStage(
  pool: pg.Pool,
  { id }: Tournament,
  { number }: StoredStage,
  results: readonly StageResult[],
  now: number,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`UPDATE tournament_stages SET state = 'finished', ended_at = ${at(now)} WHERE tournament_id = ${id} AND number = ${number} AND state = 'running'`,
    );
    if (rowCount === 0) return;
    await client.query(
      sql`INSERT INTO tournament_results (tournament_id, number, user_id, place, rank, delta, matches, adjusted, low, high, advances)
          SELECT ${id}, ${number}, "userId", place, rank, delta, matches, adjusted, low, high, advances
          FROM jsonb_to_recordset(${json(results)}) AS r("userId" uuid, place int, rank int, delta bigint, matches int,
            adjusted float8, low float8, high float8, advances boolean)`,
    );
    await audit(client, { id }, 'stage_finished', { stage: number, players: results.length });
  });
}

/** Returns the results of the finished stages by their numbers, in the order of the places. */
export async function resultsOf(pool: pg.Pool, id: string): Promise<ReadonlyMap<number, readonly StageResult[]>> {
  const { rows } = await pool.query<StageResult & { number: number }>(
    sql`SELECT number, user_id AS "userId", place, rank, delta::float8, matches, adjusted, low, high, advances
        FROM tournament_results WHERE tournament_id = ${id} ORDER BY number, place`,
  );
  return Map.groupBy(rows, ({ number }) => number);
}

/** Returns, by player of a stage, in how many matches the bot did not start, and how many of its decisions failed. */
export async function faultsOfStage(pool: pg.Pool, batchId: string) {
  interface Row {
    readonly userId: string;
    readonly neverStarted: number;
    readonly decisions: number;
    readonly failedDecisions: number;
  }
  const { rows } = await pool.query<Row>(
    sql`SELECT s.user_id AS "userId", (count(*) FILTER (WHERE (s.faults ->> 'neverStarted')::boolean))::int AS "neverStarted", ${decisionSums}
        FROM job_seats s JOIN jobs j ON j.id = s.job_id WHERE j.batch_id = ${batchId} AND j.state = 'FINISHED' GROUP BY s.user_id`,
  );
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Returns the frozen entrants in the order of their ids. */
export async function entrantsOf(pool: pg.Pool, id: string): Promise<SeatPlan[]> {
  const { rows } = await pool.query<SeatPlan>(
    sql`SELECT user_id AS "userId", bot_hash AS "botHash", packages_hash AS "packagesHash", nonce
        FROM tournament_entrants WHERE tournament_id = ${id} ORDER BY user_id`,
  );
  return rows;
}

export async function countEntrants(pool: pg.Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; count: number }>(
    sql`SELECT tournament_id AS id, count(*)::int AS count FROM tournament_entrants GROUP BY tournament_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface StageProgress {
  readonly state: BatchState;
  readonly paused: boolean;
  readonly stoppedAt: Date | null;
  readonly total: number;
  readonly finished: number;
  readonly failed: number;
  readonly deleted: number;
  readonly lastEndedAt: Date | null;
}

/** Returns what became of the matches of a stage; undefined: its batch does not exist. */
export async function progressOfStage(pool: pg.Pool, batchId: string): Promise<StageProgress | undefined> {
  const { rows } = await pool.query<StageProgress>(
    sql`SELECT b.state, b.paused, b.stopped_at AS "stoppedAt", b.total_jobs AS total,
          (count(j.id) FILTER (WHERE j.state = 'FINISHED'))::int AS finished, (count(j.id) FILTER (WHERE j.state = 'FAILED'))::int AS failed,
          b.generated_jobs - (count(j.id) FILTER (WHERE j.state <> 'DELETING'))::int AS deleted, max(j.ended_at) AS "lastEndedAt"
        FROM batches b LEFT JOIN jobs j ON j.batch_id = b.id WHERE b.id = ${batchId} GROUP BY b.id`,
  );
  return rows[0];
}

/** Lets the players of a stage read its matches. */
export async function unsealStage(pool: pg.Pool, { batchId }: StoredStage): Promise<void> {
  await pool.query(sql`UPDATE batches SET sealed = false WHERE id = ${batchId} AND sealed`);
}

export async function countRetry(pool: pg.Pool, batchId: string): Promise<void> {
  await pool.query(sql`UPDATE tournament_stages SET retries = retries + 1 WHERE batch_id = ${batchId}`);
}

/** Lets the sweeper release the pins of a tournament that has ended. */
export async function releaseEntrants(pool: pg.Pool, { pinHolder, id }: Tournament): Promise<void> {
  if (pinHolder === null) return;
  await inTransaction(pool, async (client) => {
    await client.query(sql`UPDATE tournaments SET pin_holder = NULL WHERE id = ${id}`);
    await client.query(
      sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${pinHolder}, 'epoch') ON CONFLICT DO NOTHING`,
    );
  });
}
