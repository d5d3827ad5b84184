export const jobState = {
  preparing: 'PREPARING',
  queued: 'QUEUED',
  paused: 'PAUSED',
  running: 'RUNNING',
  finished: 'FINISHED',
  failed: 'FAILED',
  deleting: 'DELETING',
} as const;
export type JobState = (typeof jobState)[keyof typeof jobState];

export type AttemptOutcome = 'FINISHED' | 'HANDED_BACK' | 'LOST' | 'CANCELLED';
/** The outcome of an attempt that has not ended. */
export const openAttempt = 'RUNNING';

/** The status that a job_ended event carries. */
export type EndedStatus = 'Finished' | 'Failed' | 'Deleted';

/** DELETED: remove the row. WAITING: PAUSED while the job's batch is paused, otherwise QUEUED. */
type Target = JobState | 'DELETED' | 'WAITING';

interface Rule {
  readonly from: readonly JobState[];
  readonly to: Target;
  /** How the event ends the current attempt of a running job. */
  readonly attempt?: AttemptOutcome;
}

/** States of a job that has not ended. */
export const unfinishedStates: readonly JobState[] = ['PREPARING', 'QUEUED', 'PAUSED', 'RUNNING'];

const rules = {
  /** The packages of all seats are known and the commitment is in the chain. */
  prepared: { from: ['PREPARING'], to: 'WAITING' },
  paused: { from: ['QUEUED'], to: 'PAUSED' },
  resumed: { from: ['PAUSED'], to: 'QUEUED' },
  claimed: { from: ['QUEUED'], to: 'RUNNING' },
  handedBack: { from: ['RUNNING'], to: 'WAITING', attempt: 'HANDED_BACK' },
  lost: { from: ['RUNNING'], to: 'WAITING', attempt: 'LOST' },
  /** The match was lost too often. */
  givenUp: { from: ['RUNNING'], to: 'FAILED', attempt: 'LOST' },
  accepted: { from: ['RUNNING'], to: 'FINISHED', attempt: 'FINISHED' },
  /** Its packages cannot be used, its batch is cancelled or its owner is deleted. */
  failed: { from: unfinishedStates, to: 'FAILED', attempt: 'CANCELLED' },
  retried: { from: ['FAILED'], to: 'WAITING' },
  deleted: { from: [...unfinishedStates, 'FINISHED', 'FAILED'], to: 'DELETING', attempt: 'CANCELLED' },
  /** live-data has deleted the match's hands. */
  purged: { from: ['DELETING'], to: 'DELETED' },
} as const satisfies Record<string, Rule>;

export type JobEvent = keyof typeof rules;
export const jobEvents = Object.keys(rules) as JobEvent[];

export interface JobTransition {
  readonly to: JobState | 'DELETED';
  readonly effects: JobEffects;
}

export interface JobEffects {
  /** Ends the current attempt, releases its lease and frees its runner. */
  readonly endAttempt?: AttemptOutcome;
  /** Wakes waiting runners. */
  readonly notifyQueue?: true;
  /** Publishes job_ended. */
  readonly publishEnded?: EndedStatus;
}

const endedStatuses: Partial<Record<JobTransition['to'], EndedStatus>> = {
  FINISHED: 'Finished',
  FAILED: 'Failed',
  DELETED: 'Deleted',
};

/** Returns the transition of a job on an event; undefined if the event does not apply to the state. */
export function jobTransition(state: JobState, event: JobEvent, batchPaused: boolean): JobTransition | undefined {
  return statesOn(event).includes(state) ? transition([state], event, batchPaused) : undefined;
}

/** Returns the transition of all jobs of a batch that are in the states `from`. */
export function jobsTransition(event: JobEvent, batchPaused: boolean): JobTransition & { from: readonly JobState[] } {
  const from = statesOn(event);
  return { from, ...transition(from, event, batchPaused) };
}

function transition(from: readonly JobState[], event: JobEvent, batchPaused: boolean): JobTransition {
  const rule: Rule = rules[event];
  const to = rule.to === 'WAITING' ? waitingState(batchPaused) : rule.to;
  const publishEnded = endedStatuses[to];
  return {
    to,
    effects: {
      ...(from.includes('RUNNING') && rule.attempt ? { endAttempt: rule.attempt } : {}),
      ...(to === 'QUEUED' ? { notifyQueue: true } : {}),
      ...(publishEnded ? { publishEnded } : {}),
    },
  };
}

/** Returns the states to which an event applies. */
export function statesOn(event: JobEvent): readonly JobState[] {
  return rules[event].from;
}

/** Returns the state of a job that waits for a runner or for the end of its batch's pause. */
export function waitingState(batchPaused: boolean): JobState {
  return batchPaused ? 'PAUSED' : 'QUEUED';
}

/** Returns the state of a new job. */
export function initialState(packagesKnown: boolean, batchPaused: boolean): JobState {
  return packagesKnown ? waitingState(batchPaused) : 'PREPARING';
}

export type PublicStatus = 'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED';

const statesOf: Readonly<Record<PublicStatus, readonly JobState[]>> = {
  PENDING: ['PREPARING', 'QUEUED', 'PAUSED'],
  RUNNING: ['RUNNING'],
  FINISHED: ['FINISHED'],
  FAILED: ['FAILED'],
};
/** States of the jobs that clients see: all but DELETING. */
export const visibleStates: readonly JobState[] = Object.values(statesOf).flat();
/** States of the jobs that have a place in the queue. */
export const pendingStates = statesOf.PENDING;
/** States of waiting jobs whose packages are known. These jobs need a record in the commitment chain. */
export const committedStates: readonly JobState[] = ['QUEUED', 'PAUSED'];

export function publicStatus(state: JobState): PublicStatus {
  if (state === 'RUNNING' || state === 'FINISHED' || state === 'FAILED') return state;
  return 'PENDING';
}

/**
 * Returns the states for the status of a request; undefined for an unknown one. Ignores case. '' stands for all visible states,
 * COMPLETED for FINISHED.
 */
export function statesFor(status: string): readonly JobState[] | undefined {
  if (status === '') return visibleStates;
  const name = status.toUpperCase();
  return new Map(Object.entries(statesOf)).get(name === 'COMPLETED' ? 'FINISHED' : name);
}
