import { randomUUID } from 'node:crypto';
import { keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { at, ids, json, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import pg from 'pg';
import type { AuditWriter } from '../../store/audit.ts';
import { type TournamentState, tournamentStates } from '../domain/actions.ts';
import type { Spec } from '../domain/spec.ts';
import type { StageSpec } from '../domain/stage.ts';

export interface StoredStage {
  /** From 1. */
  readonly number: number;
  readonly spec: StageSpec;
  readonly state: 'pending' | 'running' | 'finished';
  /** Of the batch, before it exists. */
  readonly batchId: string;
  readonly retries: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Tournament extends Omit<Spec, 'stages'> {
  readonly id: string;
  readonly state: TournamentState;
  readonly problem: string;
  readonly revealed: number;
  readonly pinHolder: string | null;
  readonly championId: string | null;
  readonly frozenAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly version: number;
  readonly workAfter: Date | null;
  readonly stages: readonly StoredStage[];
}

const columns = sql`id, slug, name, description, prize, template, state, problem, entry_deadline AS "entryDeadline", starts_at AS "startsAt",
  entry_list AS "entryList", ceremony, revealed, pin_holder AS "pinHolder", champion_id AS "championId", frozen_at AS "frozenAt",
  started_at AS "startedAt", ended_at AS "endedAt", created_at AS "createdAt", version, work_after AS "workAfter",
  (SELECT json_agg(json_build_object('number', number, 'spec', spec, 'state', s.state, 'batchId', batch_id, 'retries', retries,
     'startedAt', s.started_at, 'endedAt', s.ended_at) ORDER BY number) FROM tournament_stages s WHERE tournament_id = tournaments.id) AS stages`;

export const tournamentNotFound = () =>
  new DomainError('NOT_FOUND', 'no-such-tournament', 'There is no such tournament.');
const changed = () =>
  new DomainError(
    'ABORTED',
    'tournament-changed',
    'Somebody else has changed this tournament since you opened it. Reload it first.',
  );

/** Returns all tournaments, newest deadline first. */
export async function listTournaments(pool: pg.Pool): Promise<Tournament[]> {
  const { rows } = await pool.query<Tournament>(
    sql`SELECT ${columns} FROM tournaments ORDER BY entry_deadline DESC, id LIMIT 500`,
  );
  return rows;
}

/** Returns a tournament. Throws NOT_FOUND. */
export async function findTournament(client: pg.Pool | pg.ClientBase, where: Sql): Promise<Tournament> {
  const { rows } = await client.query<Tournament>(sql`SELECT ${columns} FROM tournaments WHERE ${where}`);
  if (!rows[0]) throw tournamentNotFound();
  return rows[0];
}

/** Locks a tournament until the transaction ends. Throws NOT_FOUND. */
export const lockTournament = (client: pg.ClientBase, where: Sql): Promise<Tournament> =>
  findTournament(client, sql`${where} FOR UPDATE`);

const insertStages = (client: pg.ClientBase, id: string, stages: readonly StageSpec[]) =>
  client.query(
    sql`INSERT INTO tournament_stages (tournament_id, number, spec, batch_id)
        SELECT ${id}, place, spec, gen_random_uuid() FROM jsonb_array_elements(${json(stages)}) WITH ORDINALITY AS s(spec, place)`,
  );

/** Inserts an open tournament and returns its id. Throws ALREADY_EXISTS for a slug of another, and what idOnce catches. */
export async function insertTournament(
  pool: pg.Pool,
  spec: Spec,
  { now, userId, audit }: { now: number; userId: string; audit: (id: string) => AuditWriter },
): Promise<string> {
  const id = randomUUID();
  await slugTaken(spec.slug, () =>
    inTransaction(pool, async (client) => {
      await refuseRepeated(client, 'tournaments');
      await client.query(
        sql`INSERT INTO tournaments (id, slug, name, description, prize, template, entry_deadline, starts_at, entry_list, ceremony, work_after, created_at, created_by)
            VALUES (${id}, ${spec.slug}, ${spec.name}, ${spec.description}, ${spec.prize}, ${spec.template}, ${spec.entryDeadline}, ${spec.startsAt},
              ${ids(spec.entryList)}, ${spec.ceremony}, ${at(now)}, ${at(now)}, ${userId})`,
      );
      await insertStages(client, id, spec.stages);
      await keepRequestKey(client, 'tournaments', id);
      await audit(id)(client);
    }),
  );
  return id;
}

/** Changes an open tournament. Throws ABORTED if it has changed since `expectedVersion`, FAILED_PRECONDITION when its entries are closed. */
export async function updateTournament(
  pool: pg.Pool,
  slug: string,
  spec: Spec,
  {
    now,
    expectedVersion,
    audit,
  }: { now: number; expectedVersion: number | undefined; audit: (before: Tournament) => AuditWriter },
): Promise<void> {
  await slugTaken(spec.slug, () =>
    inTransaction(pool, async (client) => {
      const before = await lockOpen(client, slug, now);
      if (expectedVersion !== undefined && expectedVersion !== before.version) throw changed();
      await client.query(
        sql`UPDATE tournaments SET slug = ${spec.slug}, name = ${spec.name}, description = ${spec.description}, prize = ${spec.prize},
              template = ${spec.template}, entry_deadline = ${spec.entryDeadline}, starts_at = ${spec.startsAt}, entry_list = ${ids(spec.entryList)},
              ceremony = ${spec.ceremony}, work_after = ${at(now)}, version = version + 1 WHERE id = ${before.id}`,
      );
      await client.query(sql`DELETE FROM tournament_stages WHERE tournament_id = ${before.id}`);
      await insertStages(client, before.id, spec.stages);
      await audit(before)(client);
    }),
  );
}

/** Deletes a tournament that is open. */
export function deleteTournament(
  pool: pg.Pool,
  slug: string,
  now: number,
  audit: (before: Tournament) => AuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const before = await lockOpen(client, slug, now);
    await client.query(sql`DELETE FROM tournaments WHERE id = ${before.id}`);
    await audit(before)(client);
  });
}

async function lockOpen(client: pg.ClientBase, slug: string, now: number): Promise<Tournament> {
  const before = await lockTournament(client, sql`slug = ${slug}`);
  if (before.state === 'open' && before.entryDeadline.getTime() > now) return before;
  throw new DomainError(
    'FAILED_PRECONDITION',
    'entries-closed',
    'The entries of this tournament are closed: it can be paused or cancelled, but not be changed or deleted any more.',
  );
}

async function slugTaken(slug: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.constraint !== 'tournaments_slug_key') throw error;
    throw new DomainError(
      'ALREADY_EXISTS',
      'slug-taken',
      `Another tournament has the address ${slug}. Choose another slug.`,
    );
  }
}

export interface Change {
  readonly state: TournamentState;
  readonly startsAt?: Date;
  readonly revealed?: number;
}

/** Saves what an admin does to a tournament, and lets the worker do the rest. `decide` throws a refusal. */
export function actOnTournament(
  pool: pg.Pool,
  slug: string,
  now: number,
  decide: (tournament: Tournament) => Change,
  audit: (before: Tournament, change: Change) => AuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const before = await lockTournament(client, sql`slug = ${slug}`);
    const change = decide(before);
    const { state, startsAt = before.startsAt, revealed = before.revealed } = change;
    const ended = state === 'cancelled' ? sql`${at(now)}` : sql`ended_at`;
    await client.query(
      sql`UPDATE tournaments SET state = ${state}, problem = '', starts_at = ${startsAt}, revealed = ${revealed}, ended_at = ${ended},
            work_after = ${at(now)}, version = version + 1 WHERE id = ${before.id}`,
    );
    // A continuation plays again what has failed.
    await client.query(
      sql`UPDATE tournament_stages SET retries = 0 WHERE tournament_id = ${before.id} AND state = 'running'`,
    );
    await audit(before, change)(client);
  });
}

const retryMs = 15_000;

/** Reserves the tournament that has been due longest; undefined: none is due. It is due again soon, in case this process dies. */
export async function takeDueTournament(pool: pg.Pool, now: number): Promise<Tournament | undefined> {
  // One that is played is due within seconds: a later time was set before the clock went back.
  const { rows } = await pool.query<Tournament>(
    sql`UPDATE tournaments SET work_after = ${at(now + retryMs)} WHERE id = (
          SELECT id FROM tournaments WHERE work_after <= ${at(now)} OR (state = 'running' AND work_after > ${at(now + 2 * retryMs)})
          ORDER BY work_after LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}`,
  );
  return rows[0];
}

/** Schedules the next step; null: none. No effect if an admin has acted since it was taken. */
export async function scheduleTournament(
  pool: pg.Pool,
  { id, workAfter }: Pick<Tournament, 'id' | 'workAfter'>,
  dueAt: number | null,
): Promise<void> {
  await pool.query(
    sql`UPDATE tournaments SET work_after = ${dueAt === null ? null : new Date(dueAt)}::timestamptz WHERE id = ${id} AND work_after = ${workAfter}`,
  );
}

/** Counts tournaments by state, and for how long the worker is late at most, in seconds. */
export async function tournamentCounts(
  pool: pg.Pool,
  now: number,
): Promise<{ counts: Record<string, number>; lateSeconds: number }> {
  const { rows } = await pool.query<{ state: string; count: number; late: number }>(
    sql`SELECT state, count(*)::int AS count, coalesce(extract(epoch FROM ${at(now)} - min(work_after)), 0)::float8 AS late FROM tournaments GROUP BY state`,
  );
  return {
    counts: Object.fromEntries(
      tournamentStates.map((name) => [name, rows.find(({ state }) => state === name)?.count ?? 0]),
    ),
    lateSeconds: Math.max(0, ...rows.map(({ late }) => late)),
  };
}

/** Throws FAILED_PRECONDITION for the batch of a stage, which only the tournament's page changes. */
export async function refuseStage(pool: pg.Pool, batchId: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    sql`SELECT t.name FROM tournament_stages s JOIN tournaments t ON t.id = s.tournament_id WHERE s.batch_id = ${batchId}`,
  );
  if (!rows[0]) return;
  const message = `This batch is a stage of the tournament ${rows[0].name}: pause, continue or cancel it on its page. Its matches cannot be deleted.`;
  throw new DomainError('FAILED_PRECONDITION', 'stage-of-tournament', message);
}
