import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import type { SeatFaults } from '@husky/contracts/types/simulation/v1/SeatFaults';
import type { Caller } from '@husky/runtime/rpc/caller';
import { mayReadTextOf, maySeeStuck } from '../access.ts';
import type { Context } from '../context.ts';
import { jobNotFound } from '../domain/job.ts';
import { publicStatus } from '../domain/job-state.ts';
import { stuckReason } from '../domain/loss.ts';
import { chainProblem } from '../store/chain-check.ts';
import { beaconReasons } from '../store/plans.ts';
import { queuePositions } from '../store/queue.ts';
import { blindsOf, findJob, plannedIdOf, type StoredJob } from '../store/stored-job.ts';

export async function presentJobs(context: Context, jobs: readonly StoredJob[], reader: Caller): Promise<Job[]> {
  const waiting = jobs.filter((job) => publicStatus(job.state) === 'PENDING').map((job) => job.id);
  const positions = await queuePositions(context.pool, waiting);
  const uncommitted = jobs.filter(waitsForRecord);
  const problem = uncommitted.length > 0 ? await chainProblem(context.pool) : '';
  const reasons = uncommitted.length > 0 ? await beaconReasons(context.pool, uncommitted.map(plannedIdOf)) : new Map();
  return jobs.map((job) => ({
    ...present(job, positions.get(job.id) ?? 0, reader),
    stuckReason: maySeeStuck(reader) ? stuckReason(job, context.now()) : '',
    waitingReason: waitsForRecord(job) ? problem || (reasons.get(plannedIdOf(job)) ?? '') : '',
  }));
}

export async function presentJob(context: Context, job: StoredJob, reader: Caller): Promise<Job> {
  const [message] = await presentJobs(context, [job], reader);
  if (!message) throw new Error(`job ${job.id} was not presented`);
  return message;
}

/** Returns a job that was inserted. NOT_FOUND if it has been deleted since. */
export async function presentById(context: Context, id: string, reader: Caller): Promise<Job> {
  const job = await findJob(context.pool, id);
  if (!job) throw jobNotFound();
  return presentJob(context, job, reader);
}

const waitsForRecord = (job: StoredJob) => job.record === null && publicStatus(job.state) === 'PENDING';

function present(job: StoredJob, queuePosition: number, reader: Caller): Job {
  const status = publicStatus(job.state);
  return {
    id: job.id,
    kind: job.kind,
    against: job.against,
    challengeId: job.challengeId ?? '',
    status,
    ownerId: job.ownerId,
    batchId: job.batchId ?? '',
    jobNumber: job.jobNumber,
    batchNumber: job.batchNumber ?? 0,
    gameNumber: job.gameNumber ?? job.jobNumber,
    playerIds: job.seats.map((seat) => seat.userId),
    numRounds: job.numRounds,
    blinds: blindsOf(job),
    stacks: job.stacks,
    mode: job.rotation === null ? 'classic' : 'duplicate',
    dealSetId: job.dealSetId,
    rotation: job.rotation ?? 0,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? '',
    endedAt: job.endedAt?.toISOString() ?? '',
    errorMessage: job.errorMessage,
    results: status === 'FINISHED' ? job.seats.map((seat) => ({ userId: seat.userId, delta: seat.delta ?? 0 })) : [],
    handsPlayed: job.handsPlayed,
    endedEarly: job.endedEarly,
    attempt: job.acceptedAttempt ?? job.attempt,
    held: job.held,
    handsDone: job.handsDone,
    queuePosition,
    commitment: job.commitment,
    seatFaults: status === 'FINISHED' ? faultsOfSeats(job, reader) : [],
    noContest: job.noContest,
    botHashes: job.seats.map(({ userId, botHash }) => (mayReadTextOf(reader, userId) ? botHash : '')),
  };
}

/** Returns the faults by seat; empty for matches accepted before faults were counted. Only the bot's owner and admins get its text. */
function faultsOfSeats(job: StoredJob, reader: Caller): SeatFaults[] {
  return job.seats.flatMap(({ userId, faults }) => {
    if (faults === null) return [];
    // acceptResult is the only writer of this column.
    const known = faults as unknown as SeatFaults;
    return [{ ...known, firstText: mayReadTextOf(reader, userId) ? (known.firstText ?? '') : '' }];
  });
}
