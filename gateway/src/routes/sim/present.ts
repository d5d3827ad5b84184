import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { rankOf } from '@husky/match/ranks';
import { parseStacks } from '@husky/match/stacks';
import { presentFaults } from './faults.ts';

const statusNames: Record<string, string> = {
  PENDING: 'Pending',
  RUNNING: 'Running',
  FINISHED: 'Finished',
  FAILED: 'Failed',
};

export function jobStatusName(job: Pick<Job__Output, 'status'>): string {
  return statusNames[job.status] ?? 'Pending';
}

export function presentMode({ mode, rotation, dealSetId }: Job__Output) {
  const duplicate = mode === 'duplicate';
  return {
    mode: duplicate ? ('duplicate' as const) : ('classic' as const),
    rotation: duplicate ? rotation : null,
    deal_set: duplicate ? dealSetId : null,
  };
}

export function presentResults(job: Job__Output, nameOf: (id: string) => string): Record<string, number> | undefined {
  if (job.results.length === 0) return undefined;
  return Object.fromEntries(job.results.map((result) => [nameOf(result.userId), result.delta]));
}

const kinds: Record<string, 'test' | 'match' | 'batch'> = { TEST_RUN: 'test', MATCH: 'match', BATCH_MATCH: 'batch' };

const kindNames = { test: 'TEST_RUN', match: 'MATCH', batch: 'BATCH_MATCH' } as const;

/** Returns simulation's kinds for a kind of the API; none for '', which means all. */
export const jobKinds = (kind: '' | keyof typeof kindNames) => (kind === '' ? [] : [kindNames[kind]]);

export const kindOf = (job: Job__Output) => kinds[job.kind] ?? 'match';

export function presentOwnJob(job: Job__Output, nameOf: (id: string) => string) {
  const results = presentResults(job, nameOf);
  return {
    job_id: job.id,
    job_status: jobStatusName(job),
    ...(job.errorMessage ? { error: job.errorMessage } : {}),
    ...(results ? { result_data: results } : {}),
    ...presentFaults(job, nameOf),
    ...presentMode(job),
    kind: kindOf(job),
    against: job.against || null,
    created_at: job.createdAt,
    num_rounds: job.numRounds,
    hands_done: job.status === 'FINISHED' ? job.handsPlayed : job.handsDone,
    queue_position: job.queuePosition || null,
  };
}

/** Presents a job from the view of a user who plays in it or started it. */
export function presentPlayedJob(job: Job__Output, userId: string, nameOf: (id: string) => string) {
  const delta = job.noContest ? undefined : job.results.find((result) => result.userId === userId)?.delta;
  return {
    ...presentOwnJob(job, nameOf),
    players: job.playerIds.map(nameOf),
    started_by_user: job.ownerId === userId,
    rank:
      delta === undefined
        ? null
        : rankOf(
            delta,
            job.results.map((result) => result.delta),
          ),
    delta: delta ?? null,
    batch_number: job.batchNumber || null,
    game_number: job.gameNumber,
    completed_at: job.endedAt || null,
  };
}

export function presentStatus(job: Job__Output, nameOf: (id: string) => string) {
  return {
    ...presentOwnJob(job, nameOf),
    players: job.playerIds.map(nameOf),
    rotations: job.rotations.map((one) => ({
      rotation: one.rotation,
      job_id: one.jobId,
      job_status: jobStatusName(one),
    })),
    deleted_rotations: job.deletedRotations,
    waiting_reason: job.waitingReason || null,
    stacks: parseStacks(job.stacks),
    hands_played: job.status === 'FINISHED' ? job.handsPlayed : null,
    ended_early: job.endedEarly || null,
    batch_number: job.batchNumber || null,
    game_number: job.gameNumber,
    completed_at: job.endedAt || null,
    commitment: job.commitment || null,
    public_input: job.commitmentDetails?.publicInput ?? null,
    committed_at: job.commitmentDetails?.record?.time ?? null,
  };
}
