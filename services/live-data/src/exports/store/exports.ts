import { type Sql, sql } from '@husky/runtime/database/sql';
import { accountsOfAddress } from '@husky/runtime/rpc/admission';
import type pg from 'pg';
import type { Export as StoredExport } from '../../generated/client.ts';
import type { Database } from '../../store/database.ts';
import type { Totals } from '../domain/bots.ts';
import type { ExportInput, Scope, Selected } from '../domain/scope.ts';

export type ExportState = 'waiting' | 'running' | 'ready' | 'failed' | 'dropped';

/** An export as stored. `input` and `totals` are written by this file only. */
export interface Export extends Omit<StoredExport, 'input' | 'totals' | 'state' | 'hands' | 'bytes'> {
  readonly state: ExportState;
  readonly input: ExportInput;
  readonly totals: Totals;
  readonly hands: number;
  readonly bytes: number;
}

function fromRow(row: StoredExport): Export {
  return {
    ...row,
    state: row.state as ExportState,
    input: row.input as unknown as ExportInput,
    totals: row.totals as unknown as Totals,
    hands: Number(row.hands),
    bytes: Number(row.bytes),
  };
}

export const scopeOf = ({ batchId, periodFrom, periodTo, input: { ladder } }: Export): Scope =>
  batchId === null
    ? { batchId: null, from: periodFrom ?? new Date(0), to: periodTo ?? new Date(0), ...(ladder && { ladder }) }
    : { batchId };

const dayMs = 86_400_000;

/** Returns the finished matches of a scope by game number or start, and how many of a batch are not finished. */
export async function selectMatches(
  db: Database,
  scope: Scope,
  limit: number,
): Promise<{ readonly matches: Selected[]; readonly unfinished: number }> {
  const where =
    scope.batchId === null
      ? sql`${scope.ladder ? sql`ladder` : sql`is_public AND NOT ladder`} AND first_hand_at >= ${scope.from} AND first_hand_at < ${new Date(scope.to.getTime() + dayMs)}`
      : sql`batch_id = ${scope.batchId}`;
  const order = scope.batchId === null ? sql`first_hand_at, job_id` : sql`game_number, job_id`;
  const { rows } = await db.pool.query<Selected>(
    sql`SELECT job_id AS "jobId", accepted_attempt AS attempt, batch_id AS "batchId", player_ids::text[] AS "playerIds", hands,
        is_public AS "isPublic"
      FROM matches WHERE status = 'Finished' AND accepted_attempt IS NOT NULL AND ${where} ORDER BY ${order} LIMIT ${limit}`,
  );
  if (scope.batchId === null) return { matches: rows, unfinished: 0 };
  const all = await db.prisma.match.count({ where: { batchId: scope.batchId } });
  return { matches: rows, unfinished: all - rows.length };
}

/** A filter for exports that are not failed or dropped. */
const current = { state: { in: ['waiting', 'running', 'ready'] } };

export async function findCurrent(db: Database, signature: string): Promise<Export | null> {
  const row = await db.prisma.export.findFirst({ where: { signature, ...current } });
  return row && fromRow(row);
}

export async function findExport(db: Database, id: string): Promise<Export | null> {
  const row = await db.prisma.export.findUnique({ where: { id } });
  return row && fromRow(row);
}

/** Returns the newest exports of a batch, or of periods. Dropped and failed ones are included. */
export async function listExports(db: Database, batchId: string | null, limit: number): Promise<Export[]> {
  const rows = await db.prisma.export.findMany({ where: { batchId }, orderBy: { createdAt: 'desc' }, take: limit });
  return rows.map(fromRow);
}

/** Exports that are made at a time, step by step in turn. One account or address has one of them. */
const maxRunning = 2;

/**
 * Returns the export to work on: of those that are being made, or may be, one with the fewest failures, then that of the account for which
 * the fewest steps were made within a day, or a quarter of those for its address if that is more; then the oldest.
 */
export async function nextExport(db: Database): Promise<Export | null> {
  const others = (condition: Sql) => sql`FROM exports AS o WHERE ${condition}`;
  const isSameAddress = sql`o.created_from = e.created_from AND o.created_from <> ''`;
  const isRunning = sql`o.state = 'running' AND o.failures = 0`;
  const stepsOf = (whose: Sql) =>
    sql`(SELECT coalesce(sum(o.steps_done), 0) ${others(sql`${whose} AND o.created_at > e.created_at - interval '1 day'`)})`;
  const { rows } = await db.pool.query<{ id: string }>(
    sql`SELECT id FROM exports AS e WHERE state = 'running' OR state = 'waiting'
        AND (SELECT count(*) ${others(isRunning)}) < ${maxRunning}
        AND NOT EXISTS (SELECT ${others(sql`${isRunning} AND (o.created_by = e.created_by OR ${isSameAddress})`)})
      ORDER BY failures, greatest(${stepsOf(sql`o.created_by = e.created_by`)}, ${stepsOf(isSameAddress)} / ${accountsOfAddress}),
        created_at LIMIT 1`,
  );
  return rows[0] === undefined ? null : findExport(db, rows[0].id);
}

/** Returns whether all matches of an export still exist, and whether all are public. */
export async function readMatches(
  db: Database,
  id: string,
): Promise<{ readonly complete: boolean; readonly isPublic: boolean }> {
  const { rows } = await db.pool.query<{ complete: boolean; is_public: boolean }>(
    sql`SELECT count(m.job_id) = count(*) AS complete, bool_and(coalesce(m.is_public, false)) AS is_public
      FROM exports e CROSS JOIN unnest(e.job_ids) AS j (id) LEFT JOIN matches m ON m.job_id = j.id WHERE e.id = ${id}::uuid`,
  );
  return { complete: rows[0]?.complete ?? false, isPublic: rows[0]?.is_public ?? false };
}

/** The condition of exports that are not failed or dropped. */
export const isCurrent = sql`state IN ('waiting', 'running', 'ready')`;

/** The condition of exports that are failed or dropped. */
export const isEnded = sql`state IN ('failed', 'dropped')`;

/** What an ended export keeps of its matches, names and sums: the number of its matches, and that of its batch. */
export const emptied = sql`matches = cardinality(job_ids), job_ids = '{}', totals = '{}', created_from = '',
  input = jsonb_build_object('names', '{}'::jsonb, 'site', '', 'batches', CASE WHEN batch_id IS NULL THEN '{}' ELSE jsonb_build_object(
    batch_id, jsonb_build_object('number', coalesce(input -> 'batches' -> batch_id::text -> 'number', '0'), 'metadata', '')) END)`;

/**
 * Ends an export: it cannot be downloaded any more. Its archive is deleted afterwards (deleteEnded). No effect if it is failed or dropped
 * already.
 */
export async function endExport(
  db: Database,
  id: string,
  state: 'failed' | 'dropped',
  problem: string,
  now: Date,
): Promise<void> {
  await db.pool.query(endQuery(sql`id = ${id}::uuid`, state, problem, now));
}

const endQuery = (which: Sql, state: ExportState, problem: string, now: Date) =>
  sql`UPDATE exports SET state = ${state}, problem = ${problem}, bytes = 0, ended_at = ${now}, ${emptied}
    WHERE ${which} AND ${isCurrent}`;

/** Drops the exports that contain a match, within the transaction that deletes the match. Returns how many were dropped. */
export async function dropExportsOf(client: pg.PoolClient, jobId: string): Promise<number> {
  const which = sql`job_ids @> ARRAY[${jobId}]::uuid[]`;
  const { rowCount } = await client.query(endQuery(which, 'dropped', matchDeleted, new Date()));
  return rowCount ?? 0;
}

export const matchDeleted = 'A match of this export was deleted.';
export const matchPrivate = 'A match of this export was made private.';

/** Counts a transient failure. Returns the number since the last step. */
export async function countFailure(db: Database, id: string): Promise<number> {
  const { failures } = await db.prisma.export.update({
    where: { id },
    data: { failures: { increment: 1 } },
    select: { failures: true },
  });
  return failures;
}

/** An archive that takes space. */
export interface StoredArchive {
  readonly id: string;
  readonly state: ExportState;
  readonly bytes: number;
  readonly createdBy: string;
  readonly endedAt: Date;
}

/** Returns the archives of ready exports, oldest first, and what has been made of running ones. */
export async function storedArchives(db: Database): Promise<readonly StoredArchive[]> {
  const rows = await db.prisma.export.findMany({
    where: { state: { in: ['ready', 'running'] } },
    orderBy: { endedAt: 'asc' },
    select: { id: true, state: true, bytes: true, endedAt: true, createdBy: true },
  });
  return rows.map(({ state, bytes, endedAt, ...row }) => ({
    ...row,
    state: state as ExportState,
    bytes: Number(bytes),
    endedAt: endedAt ?? new Date(0),
  }));
}
