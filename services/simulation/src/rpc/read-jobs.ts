import type { DecisionLimits } from '@husky/contracts/types/simulation/v1/DecisionLimits';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import type { MatchCounts } from '@husky/contracts/types/simulation/v1/MatchCounts';
import type { Rotation } from '@husky/contracts/types/simulation/v1/Rotation';
import type { SeedReveal } from '@husky/contracts/types/simulation/v1/SeedReveal';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { ReaderCall } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { commitTo } from '../domain/commitment-chain.ts';
import { jobNotFound, type Limits } from '../domain/job.ts';
import { jobState, publicStatus } from '../domain/job-state.ts';
import { dealSetIsPlayed, rotationsOf, seedOf } from '../store/jobs.ts';
import { countsOfBatches, countsOfPlatform, deletedRotations, deletionsOf } from '../store/match-counts.ts';
import { proveSeed } from '../store/seed-lists.ts';
import { blindsOf, findJob, type StoredJob } from '../store/stored-job.ts';
import { presentCommitment, presentRecord } from './commitments.ts';
import { presentJob } from './present-jobs.ts';

export function getJob(context: Context): SimulationHandlers['getJob'] {
  return async (request, call): Promise<Job> => {
    const job = await readableJob(context, call, request.jobId);
    return {
      ...(await presentJob(context, job, call.caller)),
      commitmentDetails: presentCommitment(job),
      rotations: await presentRotations(context, call, job),
      deletedRotations: job.rotation === null ? [] : await deletedRotations(context.pool, job.dealSetId),
      decisionLimits: limitsOf(job),
    };
  };
}

/** Returns the matches of a duplicate match's deal set that the caller may read; empty for a classic match. */
async function presentRotations(context: Context, call: ReaderCall, job: StoredJob): Promise<Rotation[]> {
  if (job.rotation === null) return [];
  const presented: Rotation[] = [];
  for (const one of await rotationsOf(context.pool, job.dealSetId)) {
    if (!(await mayRead(context, call, one))) continue;
    presented.push({ rotation: one.rotation ?? 0, jobId: one.id, status: publicStatus(one.state) });
  }
  return presented;
}

/** Returns the time limits of the bots. insertJobs is the only writer of the column. */
function limitsOf({ limits }: StoredJob): DecisionLimits {
  const { decisionMs, bankMs, freeMs } = limits as unknown as Limits;
  return { decisionMs, bankMs, freeMs };
}

/** Returns the seed. Throws FAILED_PRECONDITION until the last match with the same deal set is finished. */
export function getSeed(context: Context): SimulationHandlers['getSeed'] {
  return async (request, call): Promise<SeedReveal> => {
    const job = await readableJob(context, call, request.jobId);
    if (await seedIsPublished(context, job)) return revealSeed(context, job);
    const message = 'The seed is published when the last match that uses it is finished.';
    throw new DomainError('FAILED_PRECONDITION', 'seed-not-published', message);
  };
}

/** Returns whether the last match with the deal set of this one is finished. */
export async function seedIsPublished(context: Context, job: StoredJob): Promise<boolean> {
  return job.state === jobState.finished && (await dealSetIsPlayed(context.prisma, job.dealSetId));
}

/** Returns the seed of a match, which is published, with what shows its place in its list. */
export async function revealSeed(context: Context, job: StoredJob): Promise<SeedReveal> {
  const seed = await seedOf(context.prisma, job.dealSetId);
  const { input } = commitTo({ ...job, seed, blinds: blindsOf(job) });
  const proof = job.seeds && (await proveSeed(context.pool, job.seeds));
  const place = proof ? { path: proof.path, listRecord: presentRecord(proof.record) } : {};
  return { jobId: job.id, seedHex: seed.toString('hex'), commitment: job.commitment, commitmentInput: input, ...place };
}

/** Returns a job that the caller may read. Throws NOT_FOUND or PERMISSION_DENIED. */
async function readableJob(context: Context, call: ReaderCall, jobId: string): Promise<StoredJob> {
  const job = isUuid(jobId) ? await findJob(context.pool, jobId) : null;
  if (!job) throw jobNotFound();
  await checkReader(context, call, job);
  return job;
}

/** Throws PERMISSION_DENIED unless the caller may read the job. */
export async function checkReader(context: Context, call: Pick<ReaderCall, 'check'>, job: StoredJob): Promise<void> {
  // Trials are for their owner, sealed matches for nobody yet.
  const playerIds = job.kind === 'TRIAL' || job.sealed ? [] : job.seats.map((seat) => seat.userId);
  await call.check({ ownerId: job.ownerId, playerIds }, () => isPublicJob(context, job.id));
}

async function mayRead(context: Context, call: ReaderCall, job: StoredJob): Promise<boolean> {
  try {
    await checkReader(context, call, job);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'PERMISSION_DENIED') return false;
    throw error;
  }
}

export async function isPublicJob(context: Context, jobId: string): Promise<boolean> {
  try {
    return (await context.liveData.getMatchAccess({ jobId })).isPublic;
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED'))
      return false;
    throw error;
  }
}

const maxBatches = 1000;

/** Counts the matches of batches, or of the platform, by what became of them. */
export function countMatches(context: Context): SimulationHandlers['countMatches'] {
  return async ({ batchIds }): Promise<MatchCounts> => {
    if (batchIds.length > maxBatches) {
      throw new DomainError(
        'INVALID_ARGUMENT',
        'too-many-ids',
        `At most ${maxBatches} batches can be counted at once.`,
      );
    }
    const known = batchIds.length === 0 ? null : batchIds.filter(isUuid);
    const [counts, deletions] = await Promise.all([
      known === null ? countsOfPlatform(context.pool) : countsOfBatches(context.pool, known),
      deletionsOf(context.pool, known),
    ]);
    const { played, unplayed, matches } = deletions;
    return {
      ...counts,
      deletedAfterPlay: played,
      deletedUnknown: Math.max(0, counts.deleted - played - unplayed),
      deletedMatches: matches.map((match) => ({ ...match, deletedAt: match.deletedAt.toISOString() })),
    };
  };
}
