/** Classes of the queue, by what a job is. */
export const jobKinds = ['TEST_RUN', 'MATCH', 'BATCH_MATCH'] as const;
export type JobKind = (typeof jobKinds)[number];

/**
 * PREPARING (packages) -> QUEUED <-> PAUSED (its batch) -> RUNNING -> FINISHED or FAILED; DELETING from any.
 * A lost or handed-back RUNNING job is QUEUED again.
 */
export type JobState = 'PREPARING' | 'QUEUED' | 'PAUSED' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'DELETING';

export type PublicStatus = 'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED';

const statesOf: Readonly<Record<PublicStatus, readonly JobState[]>> = {
  PENDING: ['PREPARING', 'QUEUED', 'PAUSED'],
  RUNNING: ['RUNNING'],
  FINISHED: ['FINISHED'],
  FAILED: ['FAILED'],
};
export const visibleStates: readonly JobState[] = Object.values(statesOf).flat();
export const unfinishedStates: readonly JobState[] = ['PREPARING', 'QUEUED', 'PAUSED', 'RUNNING'];

export function publicStatus(state: JobState): PublicStatus {
  if (state === 'RUNNING' || state === 'FINISHED' || state === 'FAILED') return state;
  return 'PENDING';
}

/** The states that a status asked for stands for; Completed is a synonym of Finished; undefined: no such status. */
export function statesFor(status: string): readonly JobState[] | undefined {
  if (status === '') return visibleStates;
  const name = status.toUpperCase();
  return statesOf[(name === 'COMPLETED' ? 'FINISHED' : name) as PublicStatus];
}

export interface Limits {
  readonly decisionMs: number;
  readonly bankMs: number;
  readonly freeMs: number;
  readonly faultsToDisable: number;
  readonly startupMs: number;
  readonly memoryMib: number;
  readonly logBytes: number;
}

export interface Blinds {
  readonly bigBlind: number;
  readonly multiplier: string;
  readonly interval: number;
}

/** `packagesHash`: '' needs none, null is not known yet. */
export interface SeatPlan {
  readonly userId: string;
  readonly botHash: string;
  readonly packagesHash: string | null;
}

/** A job to be made. */
export interface JobPlan {
  readonly id: string;
  readonly kind: JobKind;
  readonly ownerId: string;
  readonly batchId: string | null;
  /** Within its batch, from 1; null: the job's own number. */
  readonly gameNumber: number | null;
  /** Whom its pins are held by: itself or its batch. */
  readonly holderId: string;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly limits: Limits;
  readonly seats: readonly SeatPlan[];
}

export const startingStack = 10_000;
export const profile = 'documented';

/** What a job costs its class and its owner: its hands, and a start that is worth a hundred of them. */
export function queueCost(numRounds: number): number {
  return numRounds + 100;
}
