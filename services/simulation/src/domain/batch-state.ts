import type { JobEvent } from './job-state.ts';

export const batchState = {
  preparing: 'PREPARING',
  generating: 'GENERATING',
  ready: 'READY',
  cancelled: 'CANCELLED',
  failed: 'FAILED',
  deleting: 'DELETING',
} as const;
export type BatchState = (typeof batchState)[keyof typeof batchState];

export const batchEvents = [
  /** The packages of all bots are known. */
  'prepared',
  /** A bot's packages cannot be used. */
  'unplayable',
  /** Some of its jobs were created. */
  'generated',
  'paused',
  'resumed',
  'cancelled',
  'retried',
  'deleted',
] as const;
export type BatchEvent = (typeof batchEvents)[number];

/** What the transitions of a batch depend on. `generatedJobs` is counted after the event. */
export interface BatchFacts {
  readonly state: BatchState;
  readonly paused: boolean;
  readonly generatedJobs: number;
  readonly totalJobs: number;
}

export interface BatchTransition {
  readonly state: BatchState;
  readonly paused: boolean;
  /** True: the batch worker has a step to do; false: it has none; absent: its schedule does not change. */
  readonly due?: boolean;
  /** The event to apply to each job of the batch whose state permits it. */
  readonly jobs?: JobEvent;
}

/** States in which a batch still creates jobs. */
export const growingStates: readonly BatchState[] = ['PREPARING', 'GENERATING'];
/** States in which a batch is cancelled when its owner is deleted. */
export const cancellableStates: readonly BatchState[] = ['PREPARING', 'GENERATING', 'READY', 'FAILED'];
/** States of the batches that clients see. */
export const visibleBatchStates: readonly BatchState[] = ['PREPARING', 'GENERATING', 'READY', 'CANCELLED', 'FAILED'];
/** States in which a batch has no more jobs to create. */
export const completeStates: readonly BatchState[] = ['READY', 'CANCELLED', 'FAILED'];

const stateAfter: Readonly<Record<BatchEvent, (batch: BatchFacts) => BatchState | undefined>> = {
  prepared: ({ state }) => (state === 'PREPARING' ? 'GENERATING' : undefined),
  unplayable: ({ state }) => (state === 'PREPARING' ? 'FAILED' : undefined),
  generated: (batch) => (batch.state === 'GENERATING' ? afterGeneration(batch) : undefined),
  paused: ({ state, paused }) => (visibleBatchStates.includes(state) && !paused ? state : undefined),
  resumed: ({ state, paused }) => (visibleBatchStates.includes(state) && paused ? state : undefined),
  cancelled: ({ state }) => (visibleBatchStates.includes(state) ? 'CANCELLED' : undefined),
  retried: (batch) => (visibleBatchStates.includes(batch.state) ? afterRetry(batch) : undefined),
  deleted: ({ state }) => (visibleBatchStates.includes(state) ? 'DELETING' : undefined),
};

const jobEventOf: Partial<Record<BatchEvent, JobEvent>> = {
  paused: 'paused',
  resumed: 'resumed',
  cancelled: 'failed',
  retried: 'retried',
  deleted: 'deleted',
};

/**
 * Returns the transition of a batch on an event; undefined if the event does not apply. Does not check whether a pause, a
 * cancellation or a retry changes any job: the store counts them.
 */
export function batchTransition(batch: BatchFacts, event: BatchEvent): BatchTransition | undefined {
  const state = stateAfter[event](batch);
  if (state === undefined) return undefined;
  const jobs = jobEventOf[event];
  return {
    state,
    // A cancellation ends a pause, so that a later retry is played.
    paused: event === 'paused' || (batch.paused && event !== 'resumed' && event !== 'cancelled'),
    ...(event === 'paused' || event === 'resumed'
      ? {}
      : { due: growingStates.includes(state) || state === 'DELETING' }),
    ...(jobs ? { jobs } : {}),
  };
}

/** Returns the state of a new batch. */
export function initialBatchState(packagesKnown: boolean): BatchState {
  return packagesKnown ? 'GENERATING' : 'PREPARING';
}

/** Returns how many jobs a batch has or will have. A cancelled or failed batch creates no more. */
export function plannedJobs({ state, generatedJobs, totalJobs }: BatchFacts): number {
  return state === 'CANCELLED' || state === 'FAILED' ? generatedJobs : totalJobs;
}

function afterGeneration({ generatedJobs, totalJobs }: BatchFacts): BatchState {
  return generatedJobs === totalJobs ? 'READY' : 'GENERATING';
}

function afterRetry(batch: BatchFacts): BatchState {
  if (batch.state === 'FAILED') return 'PREPARING';
  if (batch.state !== 'CANCELLED') return batch.state;
  // Without a created job its packages may be unknown. Known packages are not resolved again.
  return batch.generatedJobs === 0 ? 'PREPARING' : afterGeneration(batch);
}
