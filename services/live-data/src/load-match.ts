import type { MatchFacts__Output } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { parseStacks } from '@husky/match/stacks';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from './context.ts';
import type { Match } from './domain/match.ts';
import { jobNotFound } from './domain/refusals.ts';
import { notifyWatchers } from './match-feed.ts';
import { acceptAttempt } from './store/attempts.ts';
import { failMatch, findMatch, insertMatch, type NewMatch, purgeMatch } from './store/matches.ts';

export type FinishedMatch = Match & { readonly acceptedAttempt: number };

export type FollowContext = Pick<Context, 'db' | 'exporting' | 'messaging' | 'simulation' | 'log' | 'now'>;

const isFinished = (match: Match): match is FinishedMatch => match.acceptedAttempt !== null;

/**
 * Returns the match of a job. Fetches a match that is not stored yet from simulation and stores it. Throws `notFound` for an
 * unknown job.
 */
export async function loadMatch(context: Context, jobId: string, notFound = jobNotFound): Promise<Match> {
  if (!isLowerCaseUuid(jobId)) throw notFound();
  const stored = await findMatch(context.db, jobId);
  if (stored !== null) return stored;
  const facts = await fetchFacts(context, jobId);
  if (facts === null) throw notFound();
  const inserted = await insertMatch(context.db, newMatch(jobId, facts), facts.public);
  // The job may have ended since: its event was handled while the match was not stored.
  if (inserted) await followJob(context, jobId);
  const match = await findMatch(context.db, jobId);
  if (match === null) throw notFound();
  return match;
}

/** Returns the match as finished; null if it is not. Simulation accepts a result some ms before this service does. */
export async function findFinished(context: Context, match: Match): Promise<FinishedMatch | null> {
  if (isFinished(match)) return match;
  const job = match.status === 'Failed' ? undefined : (await fetchFacts(context, match.jobId))?.job;
  if (job?.status !== 'FINISHED') return null;
  await acceptAttempt(context.db, match.jobId, job.attempt, new Date(context.now()));
  const current = await findMatch(context.db, match.jobId);
  return current !== null && isFinished(current) ? current : null;
}

/**
 * Reads the job of a stored match from simulation. Ends or deletes the match if the job has ended or was deleted. Logs a finished match that
 * is not stored completely, unless it is in `logged`, and adds it. Idempotent.
 */
export async function followJob(context: FollowContext, jobId: string, logged = new Set<string>()): Promise<void> {
  const job = (await fetchFacts(context, jobId))?.job;
  if (!job) {
    await deleteMatch(context, jobId);
  } else if (job.status === 'FINISHED') {
    // The dealer crashed after simulation, but before live-data, had accepted the result.
    const accepted = await acceptAttempt(context.db, jobId, job.attempt, new Date(context.now()));
    if (!accepted && !logged.has(jobId)) {
      logged.add(jobId);
      context.log.error({ jobId }, `match ${jobId} is finished, but attempt ${job.attempt} is not stored completely`);
    }
    notifyWatchers(context.messaging, jobId);
  } else if (job.status === 'FAILED') {
    await failMatch(context.db, jobId, job.attempt, job.errorMessage);
    notifyWatchers(context.messaging, jobId);
  }
}

/** Deletes a match with everything stored about it. Returns how many readable hands it had; null for an unknown match. */
export async function deleteMatch(
  { db, exporting, messaging }: Pick<Context, 'db' | 'exporting' | 'messaging'>,
  jobId: string,
): Promise<number | null> {
  const purged = await purgeMatch(db, jobId);
  if (purged === null) return null;
  if (purged.exports > 0) exporting.kick();
  notifyWatchers(messaging, jobId);
  return purged.hands;
}

/** Returns simulation's current facts of a job; null for an unknown job. */
export async function fetchFacts(
  { simulation }: Pick<Context, 'simulation'>,
  jobId: string,
): Promise<MatchFacts__Output | null> {
  try {
    return await simulation.getMatch({ jobId });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

function newMatch(jobId: string, facts: MatchFacts__Output): NewMatch {
  const { job, seats } = facts;
  if (!job?.blinds || seats.length < 2 || facts.seed.length !== 32) {
    throw new Error(`simulation returned incomplete facts of match ${jobId}`);
  }
  return {
    jobId,
    ownerId: job.ownerId === '' ? null : job.ownerId,
    batchId: job.batchId === '' ? null : job.batchId,
    batchNumber: job.batchNumber,
    gameNumber: job.gameNumber,
    playerIds: seats.map((seat) => seat.userId),
    numRounds: job.numRounds,
    bigBlind: job.blinds.bigBlind,
    blindMultiplier: job.blinds.multiplier,
    blindInterval: job.blinds.interval,
    startingStack: facts.startingStack,
    rulesVersion: facts.rulesVersion,
    profile: facts.profile,
    stacks: parseStacks(job.stacks),
    dealSetId: job.dealSetId === '' ? null : job.dealSetId,
    rotation: job.rotation,
    seed: new Uint8Array(facts.seed),
    ladder: job.kind === 'LADDER' || job.kind === 'TRIAL',
    sealed: facts.sealed,
    status: job.status === 'FAILED' ? 'Failed' : 'Pending',
    endReason: job.status === 'FAILED' ? job.errorMessage : '',
  };
}
