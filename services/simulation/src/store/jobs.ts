import { idRange } from '@husky/runtime/database/id-range';
import { countRows, totalOf } from '@husky/runtime/database/row-count';
import { empty, ids, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Page } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import { dealKeyOf } from '../domain/commitment-chain.ts';
import { type JobKind, jobNotFound, unlistedKinds } from '../domain/job.ts';
import { type JobState, jobState, statesOn, unfinishedStates, visibleStates } from '../domain/job-state.ts';
import type { PrismaClient } from '../generated/client.ts';
import { lockJob } from './job-changes.ts';
import { blindsOf, readJobsByNumber, readStoredJobs, type StoredJob } from './stored-job.ts';

export async function seedOf(prisma: PrismaClient, dealSetId: string): Promise<Buffer> {
  const dealSet = await prisma.dealSet.findUniqueOrThrow({ where: { id: dealSetId } });
  // Its packages are prepared, or a beacon is waited for: there is a job, but no match yet.
  if (dealSet.seed === null) throw jobNotFound();
  return Buffer.from(dealSet.seed);
}

/** Returns the key from which a job's match is dealt. */
export async function dealKeyOfJob(prisma: PrismaClient, job: StoredJob): Promise<Buffer> {
  return Buffer.from(dealKeyOf({ ...job, blinds: blindsOf(job) }, await seedOf(prisma, job.dealSetId)));
}

/** Returns whether every match that uses the deal set is finished. */
export async function dealSetIsPlayed(prisma: PrismaClient, dealSetId: string): Promise<boolean> {
  const open = await prisma.job.count({ where: { dealSetId, state: { not: jobState.finished } } });
  return open === 0;
}

/** Returns the jobs of a deal set by rotation. Those that are being deleted are left out. */
export function rotationsOf(pool: pg.Pool, dealSetId: string): Promise<StoredJob[]> {
  const ofSet = sql`j.deal_set_id = ${dealSetId}::uuid AND j.state = ANY (${texts(visibleStates)})`;
  return readStoredJobs(pool, ofSet, sql`j.rotation`);
}

export interface JobFilter {
  readonly ownerId?: string;
  /** With `ownerId`: jobs that match one of the two. */
  readonly playerId?: string;
  readonly batchId?: string;
  /** Empty: all but unlisted ones. */
  readonly kinds: readonly JobKind[];
  readonly states: readonly JobState[];
  /** Prefix of a job id in hex and dashes; '': any. */
  readonly idPrefix: string;
  /** Running ones come first, those without progress for longest before others. */
  readonly runningFirst?: boolean;
  /** Without sealed ones. */
  readonly openOnly?: boolean;
}

/** Returns one page of the jobs that match a filter: newest first; jobs of a batch by game number. */
export async function listJobs(
  pool: pg.Pool,
  filter: JobFilter,
  page: Page,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const { running } = jobState;
  if (!filter.runningFirst || !filter.states.includes(running) || filter.states.length === 1) {
    return listPage(pool, filter, page, filter.runningFirst);
  }
  const { skip, take } = page;
  const first = await listPage(pool, { ...filter, states: [running] }, page, true);
  const states = filter.states.filter((state) => state !== running);
  const after = { skip: Math.max(0, skip - first.total), take: take - first.jobs.length };
  const rest = await listPage(pool, { ...filter, states }, after);
  return { jobs: [...first.jobs, ...rest.jobs], total: first.total + rest.total };
}

async function listPage(
  pool: pg.Pool,
  filter: JobFilter,
  { skip, take }: Page,
  byProgress = false,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const where = conditionOf(filter);
  if (!where) return { jobs: [], total: 0 };
  let order = filter.batchId === undefined ? sql`j.job_number DESC` : sql`j.game_number`;
  if (byProgress) order = sql`coalesce(j.progress_at, j.started_at), j.job_number`;
  // An index has the numbers of the skipped rows; reading the rows themselves would be slow on a deep page.
  const { rows } = await pool.query<{ number: number }>(
    sql`SELECT j.job_number::float8 AS number FROM jobs j WHERE ${where} ORDER BY ${order} OFFSET ${skip} LIMIT ${take}`,
  );
  const numbers = rows.map((row) => row.number);
  const jobs = await readJobsByNumber(pool, numbers);
  return { jobs, total: await totalOf({ skip, onPage: numbers.length, pageSize: take }, () => count(pool, where)) };
}

/** Builds the WHERE condition on a job (`j`); undefined if no job can match. */
function conditionOf({ ownerId, playerId, batchId, kinds, states, idPrefix, openOnly }: JobFilter): Sql | undefined {
  const range = idRange(idPrefix);
  if (!range) return undefined;
  const started = sql`j.owner_id = ${ownerId}::uuid`;
  const played = sql`j.id IN (SELECT job_id FROM job_seats WHERE user_id = ${playerId}::uuid)`;
  let ofUser = empty;
  if (ownerId !== undefined && playerId !== undefined) ofUser = sql`AND (${started} OR ${played})`;
  else if (ownerId !== undefined) ofUser = sql`AND ${started}`;
  else if (playerId !== undefined) ofUser = sql`AND ${played}`;
  const ofBatch = batchId === undefined ? empty : sql`AND j.batch_id = ${batchId}::uuid`;
  const inRange = idPrefix === '' ? empty : sql`AND j.id BETWEEN ${range.first}::uuid AND ${range.last}::uuid`;
  // With `= ANY`, PostgreSQL would sort all jobs of a state or kind instead of reading the index on it and the number in order.
  const isOneOf = (column: Sql, values: readonly string[]) =>
    values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = ANY (${texts(values)})`;
  const inState = isOneOf(sql`j.state`, states);
  const ofKinds = kinds.length === 0 ? sql`AND ${listed}` : sql`AND ${isOneOf(sql`j.kind`, kinds)}`;
  return sql`${inState} ${ofUser} ${ofBatch} ${ofKinds} ${inRange} ${openOnly ? sql`AND ${unsealed}` : empty}`;
}

/** Written so that PostgreSQL finds the index jobs_listed. */
const listed = sql`j.kind <> 'LADDER' AND j.kind <> 'TRIAL'`;
/** Whether the job (`j`) is of no sealed batch. */
export const unsealed = sql`(j.batch_id IS NULL OR j.batch_id NOT IN (SELECT id FROM batches WHERE sealed))`;
const count = (pool: pg.Pool, where: Sql): Promise<number> =>
  countRows(pool, sql`SELECT count(*)::float8 AS total FROM jobs j WHERE ${where}`);

/** Returns the first `each` jobs of each batch by game number. */
export function firstJobsOf(pool: pg.Pool, batchIds: readonly string[], each: number): Promise<StoredJob[]> {
  if (each <= 0 || batchIds.length === 0) return Promise.resolve([]);
  const first = sql`j.batch_id = ANY (${ids(batchIds)}) AND j.game_number <= ${each} AND j.state <> ${jobState.deleting}`;
  return readStoredJobs(pool, first, sql`j.game_number`);
}

/** Returns a user's newest test run with each of these bots, by the bot's hash. */
export async function newestTestRuns(
  pool: pg.Pool,
  ownerId: string,
  botHashes: readonly string[],
): Promise<ReadonlyMap<string, StoredJob>> {
  if (botHashes.length === 0) return new Map();
  const kind: JobKind = 'TEST_RUN';
  const { rows } = await pool.query<{ number: number }>(
    sql`SELECT max(r.job_number)::float8 AS number FROM job_seats s JOIN jobs r ON r.id = s.job_id
      WHERE s.bot_hash = ANY (${texts(botHashes)}) AND s.user_id = ${ownerId}::uuid
        AND r.kind = ${kind} AND r.owner_id = ${ownerId}::uuid AND r.state = ANY (${texts(visibleStates)})
      GROUP BY s.bot_hash ORDER BY 1`,
  );
  const jobs = await readJobsByNumber(
    pool,
    rows.map((row) => row.number),
  );
  return new Map(
    botHashes.flatMap((hash) => {
      const job = jobs.findLast(({ seats }) => seats.some((seat) => seat.userId === ownerId && seat.botHash === hash));
      return job === undefined ? [] : [[hash, job] as const];
    }),
  );
}

export const countJobs = (pool: pg.Pool): Promise<number> =>
  count(pool, sql`j.state = ANY (${texts(visibleStates)}) AND ${listed}`);

/**
 * Holds a finished job for a leaderboard, or releases a job. Returns false, without a change, for a job in another state. Waits for a
 * deletion of its batch that is under way, which counts held jobs before it hides them.
 */
export function setHeld(pool: pg.Pool, jobId: string, held: boolean): Promise<boolean> {
  const states = held ? [jobState.finished] : statesOn('deleted');
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job || !states.includes(job.state)) return false;
    await client.query(sql`UPDATE jobs SET held = ${held} WHERE id = ${jobId}`);
    return true;
  });
}

/** Returns the unfinished jobs that a user started, and those of the ladder and of trials that the user's bot plays in. */
export async function unfinishedJobsOf(prisma: PrismaClient, userId: string): Promise<string[]> {
  const isOf = [{ ownerId: userId }, { kind: { in: [...unlistedKinds] }, seats: { some: { userId } } }];
  const jobs = await prisma.job.findMany({
    where: { OR: isOf, state: { in: [...unfinishedStates] } },
    select: { id: true },
  });
  return jobs.map((job) => job.id);
}
