import { idRange } from '@husky/runtime/id-range';
import type pg from 'pg';
import type { Blinds, JobKind } from '../domain/job.ts';
import { type JobState, jobState, statesOn, unfinishedStates, visibleStates } from '../domain/job-state.ts';
import type { Prisma, PrismaClient } from '../generated/client.ts';
import { sql, texts } from './sql.ts';

const withSeats = {
  seats: { orderBy: { seat: 'asc' } },
  batch: { select: { shownNumber: true } },
  record: true,
} as const;

/** From this offset on, reading the skipped rows is slower than a second query. */
const deepOffset = 1000;

export type StoredJob = Prisma.JobGetPayload<{ include: typeof withSeats }>;

export function blindsOf(job: StoredJob): Blinds {
  return { bigBlind: job.bigBlind, multiplier: job.blindMultiplier, interval: job.blindInterval };
}

/** Returns a job by its id; null if it does not exist or is being deleted. */
export async function findJob(prisma: PrismaClient, id: string): Promise<StoredJob | null> {
  const job = await prisma.job.findUnique({ where: { id }, include: withSeats });
  return job?.state === jobState.deleting ? null : job;
}

export async function seedOf(prisma: PrismaClient, dealSetId: string): Promise<Buffer> {
  const dealSet = await prisma.dealSet.findUniqueOrThrow({ where: { id: dealSetId } });
  return Buffer.from(dealSet.seed);
}

/** Returns whether every match that uses the deal set is finished. */
export async function dealSetIsPlayed(prisma: PrismaClient, dealSetId: string): Promise<boolean> {
  const open = await prisma.job.count({ where: { dealSetId, state: { not: jobState.finished } } });
  return open === 0;
}

/** Returns the jobs of a deal set by rotation. Those that are being deleted are left out. */
export function rotationsOf(prisma: PrismaClient, dealSetId: string): Promise<StoredJob[]> {
  return prisma.job.findMany({
    where: { dealSetId, state: { in: [...visibleStates] } },
    include: withSeats,
    orderBy: { rotation: 'asc' },
  });
}

export interface JobFilter {
  readonly ownerId?: string;
  /** With `ownerId`: jobs that match one of the two. */
  readonly playerId?: string;
  readonly batchId?: string;
  readonly kinds: readonly JobKind[];
  readonly states: readonly JobState[];
  /** Prefix of a job id in hex and dashes; '': any. */
  readonly idPrefix: string;
}

/** Returns one page of the jobs that match a filter: newest first; jobs of a batch by game number. */
export async function listJobs(
  prisma: PrismaClient,
  filter: JobFilter,
  page: number,
  pageSize: number,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const range = idRange(filter.idPrefix);
  if (!range) return { jobs: [], total: 0 };
  const where: Prisma.JobWhereInput = {
    state: { in: [...filter.states] },
    ...ofUser(filter),
    ...(filter.batchId === undefined ? {} : { batchId: filter.batchId }),
    ...(filter.kinds.length > 0 ? { kind: { in: [...filter.kinds] } } : {}),
    ...(filter.idPrefix === '' ? {} : { id: { gte: range.first, lte: range.last } }),
  };
  const orderBy: Prisma.JobOrderByWithRelationInput =
    filter.batchId === undefined ? { jobNumber: 'desc' } : { gameNumber: 'asc' };
  const skip = (page - 1) * pageSize;
  const [jobs, total] = await Promise.all([
    skip < deepOffset
      ? prisma.job.findMany({ where, include: withSeats, orderBy, skip, take: pageSize })
      : pageByNumbers(prisma, { where, orderBy, skip, take: pageSize }),
    prisma.job.count({ where }),
  ]);
  return { jobs, total };
}

function ofUser({ ownerId, playerId }: JobFilter): Prisma.JobWhereInput {
  const started = ownerId === undefined ? [] : [{ ownerId }];
  const played = playerId === undefined ? [] : [{ seats: { some: { userId: playerId } } }];
  const either = [...started, ...played];
  return either.length === 0 ? {} : { OR: either };
}

/** Finds the numbers of a page by an index alone, then reads the rows of the page. */
async function pageByNumbers(
  prisma: PrismaClient,
  query: Required<Pick<Prisma.JobFindManyArgs, 'where' | 'orderBy' | 'skip' | 'take'>>,
): Promise<StoredJob[]> {
  const numbers = await prisma.job.findMany({ ...query, select: { jobNumber: true } });
  return prisma.job.findMany({
    where: { jobNumber: { in: numbers.map(({ jobNumber }) => jobNumber) } },
    include: withSeats,
    orderBy: query.orderBy,
  });
}

/** Returns the first `each` jobs of each batch by game number. */
export function firstJobsOf(prisma: PrismaClient, batchIds: readonly string[], each: number): Promise<StoredJob[]> {
  if (each <= 0 || batchIds.length === 0) return Promise.resolve([]);
  return prisma.job.findMany({
    where: { batchId: { in: [...batchIds] }, gameNumber: { lte: each }, state: { not: jobState.deleting } },
    include: withSeats,
    orderBy: { gameNumber: 'asc' },
  });
}

/** Returns a user's newest test run with each of these bots, by the bot's hash. */
export async function newestTestRuns(
  prisma: PrismaClient,
  ownerId: string,
  botHashes: readonly string[],
): Promise<ReadonlyMap<string, StoredJob>> {
  if (botHashes.length === 0) return new Map();
  const seats = await prisma.jobSeat.findMany({
    where: {
      botHash: { in: [...botHashes] },
      userId: ownerId,
      job: { kind: 'TEST_RUN', ownerId, state: { in: [...visibleStates] } },
    },
    select: { botHash: true, job: { select: { jobNumber: true } } },
  });
  const numbers = new Map<string, bigint>();
  for (const { botHash, job } of seats) {
    if (job.jobNumber > (numbers.get(botHash) ?? 0n)) numbers.set(botHash, job.jobNumber);
  }
  const jobs = await prisma.job.findMany({ where: { jobNumber: { in: [...numbers.values()] } }, include: withSeats });
  const byNumber = new Map(jobs.map((job) => [job.jobNumber, job]));
  return new Map(
    [...numbers].flatMap(([hash, number]) => {
      const job = byNumber.get(number);
      return job === undefined ? [] : [[hash, job] as const];
    }),
  );
}

export function countJobs(prisma: PrismaClient): Promise<number> {
  return prisma.job.count({ where: { state: { not: jobState.deleting } } });
}

/** Holds a finished job for a leaderboard, or releases a job. Returns false, without a change, for a job in another state. */
export async function setHeld(pool: pg.Pool, jobId: string, held: boolean): Promise<boolean> {
  const states = held ? [jobState.finished] : statesOn('deleted');
  const { rowCount } = await pool.query(
    sql`UPDATE jobs SET held = ${held} WHERE id = ${jobId} AND state = ANY (${texts(states)})`,
  );
  return rowCount === 1;
}

export async function unfinishedJobsOf(prisma: PrismaClient, ownerId: string): Promise<string[]> {
  const jobs = await prisma.job.findMany({
    where: { ownerId, state: { in: [...unfinishedStates] } },
    select: { id: true },
  });
  return jobs.map((job) => job.id);
}
