import { expect, test } from 'vitest';
import {
  initialState,
  type JobEvent,
  type JobState,
  jobEvents,
  jobState,
  jobsTransition,
  jobTransition,
  publicStatus,
  statesFor,
  statesOn,
  unfinishedStates,
  visibleStates,
} from './job-state.ts';

const states = Object.values(jobState);

// Target and effects by state and event. Every pair that is not listed is refused.
const expected: Readonly<Record<JobState, Partial<Record<JobEvent, string>>>> = {
  PREPARING: { prepared: 'QUEUED notify', failed: 'FAILED publish:Failed', deleted: 'DELETING' },
  QUEUED: { paused: 'PAUSED', claimed: 'RUNNING', failed: 'FAILED publish:Failed', deleted: 'DELETING' },
  PAUSED: { resumed: 'QUEUED notify', failed: 'FAILED publish:Failed', deleted: 'DELETING' },
  RUNNING: {
    handedBack: 'QUEUED end:HANDED_BACK notify',
    lost: 'QUEUED end:LOST notify',
    givenUp: 'FAILED end:LOST publish:Failed',
    accepted: 'FINISHED end:FINISHED publish:Finished',
    failed: 'FAILED end:CANCELLED publish:Failed',
    deleted: 'DELETING end:CANCELLED',
  },
  FINISHED: { deleted: 'DELETING' },
  FAILED: { retried: 'QUEUED notify', deleted: 'DELETING' },
  DELETING: { purged: 'DELETED publish:Deleted' },
};

function describe(state: JobState, event: JobEvent, batchPaused: boolean): string | undefined {
  const transition = jobTransition(state, event, batchPaused);
  if (!transition) return undefined;
  const { endAttempt, notifyQueue, publishEnded } = transition.effects;
  const effects = [
    endAttempt && `end:${endAttempt}`,
    notifyQueue && 'notify',
    publishEnded && `publish:${publishEnded}`,
  ];
  return [transition.to, ...effects.filter(Boolean)].join(' ');
}

const pairs = states.flatMap((state) => jobEvents.map((event) => [state, event] as const));

test.each(pairs)('a %s job on %s', (state, event) => {
  expect(describe(state, event, false)).toBe(expected[state][event]);
  expect(statesOn(event).includes(state)).toBe(expected[state][event] !== undefined);
});

test.each(pairs)('pauses a %s job of a paused batch on %s instead of queueing it', (state, event) => {
  const unpaused = expected[state][event];
  const paused = unpaused?.replace('QUEUED', 'PAUSED').replace(' notify', '');
  // A batch is resumed before its jobs.
  expect(describe(state, event, true)).toBe(event === 'resumed' ? unpaused : paused);
});

test('applies an event to all jobs of a batch in every state that permits it', () => {
  expect(jobsTransition('paused', true)).toEqual({ from: ['QUEUED'], to: 'PAUSED', effects: {} });
  expect(jobsTransition('resumed', false)).toEqual({ from: ['PAUSED'], to: 'QUEUED', effects: { notifyQueue: true } });
  expect(jobsTransition('retried', true)).toEqual({ from: ['FAILED'], to: 'PAUSED', effects: {} });
  expect(jobsTransition('failed', false)).toEqual({
    from: ['PREPARING', 'QUEUED', 'PAUSED', 'RUNNING'],
    to: 'FAILED',
    effects: { endAttempt: 'CANCELLED', publishEnded: 'Failed' },
  });
  expect(jobsTransition('deleted', false)).toEqual({
    from: ['PREPARING', 'QUEUED', 'PAUSED', 'RUNNING', 'FINISHED', 'FAILED'],
    to: 'DELETING',
    effects: { endAttempt: 'CANCELLED' },
  });
});

test('lets a new job wait for its packages, for its batch or for a runner', () => {
  expect(initialState(false, false)).toBe('PREPARING');
  expect(initialState(false, true)).toBe('PREPARING');
  expect(initialState(true, false)).toBe('QUEUED');
  expect(initialState(true, true)).toBe('PAUSED');
});

test('maps every visible state to one public status', () => {
  expect(Object.fromEntries(visibleStates.map((state) => [state, publicStatus(state)]))).toEqual({
    PREPARING: 'PENDING',
    QUEUED: 'PENDING',
    PAUSED: 'PENDING',
    RUNNING: 'RUNNING',
    FINISHED: 'FINISHED',
    FAILED: 'FAILED',
  });
  expect(unfinishedStates.map(publicStatus)).toEqual(['PENDING', 'PENDING', 'PENDING', 'RUNNING']);
});

test('maps the status of a request to states, ignoring case, with Completed as Finished', () => {
  expect(statesFor('')).toEqual(visibleStates);
  expect(statesFor('Pending')).toEqual(['PREPARING', 'QUEUED', 'PAUSED']);
  expect(statesFor('running')).toEqual(['RUNNING']);
  expect(statesFor('FINISHED')).toEqual(['FINISHED']);
  expect(statesFor('Completed')).toEqual(['FINISHED']);
  expect(statesFor('failed')).toEqual(['FAILED']);
  expect(statesFor('deleting')).toBeUndefined();
  expect(statesFor('constructor')).toBeUndefined();
});
