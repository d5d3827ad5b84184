import { idRange } from '@husky/runtime/id-range';
import type pg from 'pg';
import { type Blinds, type JobKind, type JobState, visibleStates } from '../domain/job.ts';
import type { Prisma, PrismaClient } from '../generated/client.ts';

const withSeats = {
  seats: { orderBy: { seat: 'asc' } },
  batch: { select: { shownNumber: true } },
  record: true,
} as const;

// From here on, skipping rows costs more than a second look.
const deep = 1000;

export type StoredJob = Prisma.JobGetPayload<{ include: typeof withSeats }>;

export function blindsOf(job: StoredJob): Blinds {
  return { bigBlind: job.bigBlind, multiplier: job.blindMultiplier, interval: job.blindInterval };
}

/** A job that is there for its readers: not one that is being deleted. */
export async function findJob(prisma: PrismaClient, id: string): Promise<StoredJob | null> {
  const job = await prisma.job.findUnique({ where: { id }, include: withSeats });
  return job?.state === 'DELETING' ? null : job;
}

export async function seedOf(prisma: PrismaClient, dealSetId: string): Promise<Buffer> {
  const dealSet = await prisma.dealSet.findUniqueOrThrow({ where: { id: dealSetId } });
  return Buffer.from(dealSet.seed);
}

/** Whether every match that uses the deal set is finished. */
export async function dealSetIsPlayed(prisma: PrismaClient, dealSetId: string): Promise<boolean> {
  const open = await prisma.job.count({ where: { dealSetId, state: { not: 'FINISHED' } } });
  return open === 0;
}

export interface JobFilter {
  readonly ownerId?: string;
  readonly batchId?: string;
  readonly kinds: readonly JobKind[];
  readonly states: readonly JobState[];
  /** Beginning of a job id, in hex and dashes. */
  readonly idBegins: string;
}

/** Newest first; a batch's in the order of its games. */
export async function listJobs(
  prisma: PrismaClient,
  filter: JobFilter,
  page: number,
  pageSize: number,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const range = idRange(filter.idBegins);
  if (!range) return { jobs: [], total: 0 };
  const where: Prisma.JobWhereInput = {
    state: { in: [...filter.states] },
    ...(filter.ownerId === undefined ? {} : { ownerId: filter.ownerId }),
    ...(filter.batchId === undefined ? {} : { batchId: filter.batchId }),
    ...(filter.kinds.length > 0 ? { kind: { in: [...filter.kinds] } } : {}),
    ...(filter.idBegins === '' ? {} : { id: { gte: range.first, lte: range.last } }),
  };
  const orderBy: Prisma.JobOrderByWithRelationInput =
    filter.batchId === undefined ? { jobNumber: 'desc' } : { gameNumber: 'asc' };
  const skip = (page - 1) * pageSize;
  const [jobs, total] = await Promise.all([
    skip < deep
      ? prisma.job.findMany({ where, include: withSeats, orderBy, skip, take: pageSize })
      : pageByNumbers(prisma, { where, orderBy, skip, take: pageSize }),
    prisma.job.count({ where }),
  ]);
  return { jobs, total };
}

/** Only numbers are skipped, which an index tells alone; the page's own rows are read by them. */
async function pageByNumbers(
  prisma: PrismaClient,
  asked: Required<Pick<Prisma.JobFindManyArgs, 'where' | 'orderBy' | 'skip' | 'take'>>,
): Promise<StoredJob[]> {
  const numbers = await prisma.job.findMany({ ...asked, select: { jobNumber: true } });
  return prisma.job.findMany({
    where: { jobNumber: { in: numbers.map(({ jobNumber }) => jobNumber) } },
    include: withSeats,
    orderBy: asked.orderBy,
  });
}

/** The jobs with the lowest game numbers of each batch. */
export function firstJobsOf(prisma: PrismaClient, batchIds: readonly string[], each: number): Promise<StoredJob[]> {
  if (each <= 0 || batchIds.length === 0) return Promise.resolve([]);
  return prisma.job.findMany({
    where: { batchId: { in: [...batchIds] }, gameNumber: { lte: each }, state: { not: 'DELETING' } },
    include: withSeats,
    orderBy: { gameNumber: 'asc' },
  });
}

/** A user's newest test run of each of these bots, by the bot's hash. */
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
  return prisma.job.count({ where: { state: { not: 'DELETING' } } });
}

/** Marks a finished job as being on a leaderboard, or not; what it was before is locked by the update. */
export async function setHeld(pool: pg.Pool, jobId: string, held: boolean): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE jobs SET held = $2 WHERE id = $1 AND (state = 'FINISHED' OR ($2 = false AND state <> 'DELETING'))`,
    [jobId, held],
  );
  return rowCount === 1;
}
