import { expect, test } from 'vitest';
import {
  type BatchEvent,
  type BatchFacts,
  type BatchState,
  batchEvents,
  batchState,
  batchTransition,
  cancellableStates,
  completeStates,
  growingStates,
  initialBatchState,
  plannedJobs,
} from './batch-state.ts';

const states = Object.values(batchState);
const batch = (state: BatchState, more: Partial<BatchFacts> = {}): BatchFacts => ({
  state,
  paused: false,
  generatedJobs: 3,
  totalJobs: 7,
  ...more,
});

// The transitions of a batch that is not paused and has 3 of 7 jobs. Every pair that is not listed is refused.
const pausing = (state: string) => `${state} paused jobs:paused`;
const cancelling = 'CANCELLED idle jobs:failed';
const deleting = 'DELETING due jobs:deleted';
const expected: Readonly<Record<BatchState, Partial<Record<BatchEvent, string>>>> = {
  PREPARING: {
    prepared: 'GENERATING due',
    unplayable: 'FAILED idle',
    paused: pausing('PREPARING'),
    cancelled: cancelling,
    retried: 'PREPARING due jobs:retried',
    deleted: deleting,
  },
  GENERATING: {
    generated: 'GENERATING due',
    paused: pausing('GENERATING'),
    cancelled: cancelling,
    retried: 'GENERATING due jobs:retried',
    deleted: deleting,
  },
  READY: { paused: pausing('READY'), cancelled: cancelling, retried: 'READY idle jobs:retried', deleted: deleting },
  CANCELLED: {
    paused: pausing('CANCELLED'),
    cancelled: cancelling,
    retried: 'GENERATING due jobs:retried',
    deleted: deleting,
  },
  FAILED: {
    paused: pausing('FAILED'),
    cancelled: cancelling,
    retried: 'PREPARING due jobs:retried',
    deleted: deleting,
  },
  DELETING: {},
};

function describe(facts: BatchFacts, event: BatchEvent): string | undefined {
  const transition = batchTransition(facts, event);
  if (!transition) return undefined;
  const { state, paused, due, jobs } = transition;
  const schedule = due === undefined ? undefined : due ? 'due' : 'idle';
  return [state, paused && 'paused', schedule, jobs && `jobs:${jobs}`].filter(Boolean).join(' ');
}

const pairs = states.flatMap((state) => batchEvents.map((event) => [state, event] as const));

test.each(pairs)('a %s batch on %s', (state, event) => {
  expect(describe(batch(state), event)).toBe(expected[state][event]);
});

test.each(states)('resumes a paused %s batch and refuses to pause it again', (state) => {
  const paused = batch(state, { paused: true });
  const visible = state !== 'DELETING';
  expect(batchTransition(paused, 'paused')).toBeUndefined();
  expect(describe(paused, 'resumed')).toBe(visible ? `${state} jobs:resumed` : undefined);
});

test('keeps a batch paused on every event except cancellation', () => {
  const paused = batch('GENERATING', { paused: true });
  expect(describe(paused, 'generated')).toBe('GENERATING paused due');
  expect(describe(paused, 'retried')).toBe('GENERATING paused due jobs:retried');
  expect(describe(paused, 'deleted')).toBe('DELETING paused due jobs:deleted');
  expect(describe(paused, 'cancelled')).toBe('CANCELLED idle jobs:failed');
});

test('makes a batch READY when its last job is created', () => {
  expect(describe(batch('GENERATING', { generatedJobs: 7 }), 'generated')).toBe('READY idle');
  expect(describe(batch('GENERATING', { generatedJobs: 6 }), 'generated')).toBe('GENERATING due');
});

test('continues a cancelled batch where it stopped', () => {
  expect(describe(batch('CANCELLED', { generatedJobs: 0 }), 'retried')).toBe('PREPARING due jobs:retried');
  expect(describe(batch('CANCELLED', { generatedJobs: 7 }), 'retried')).toBe('READY idle jobs:retried');
});

test('plans no further jobs for a cancelled or failed batch', () => {
  expect(states.map((state) => plannedJobs(batch(state)))).toEqual([7, 7, 7, 3, 3, 7]);
});

test('prepares a new batch unless all packages are known', () => {
  expect(initialBatchState(true)).toBe('GENERATING');
  expect(initialBatchState(false)).toBe('PREPARING');
});

test('groups states: growing, complete, cancellable when the owner is deleted', () => {
  expect(growingStates).toEqual(['PREPARING', 'GENERATING']);
  expect(completeStates).toEqual(['READY', 'CANCELLED', 'FAILED']);
  expect(cancellableStates).toEqual(['PREPARING', 'GENERATING', 'READY', 'FAILED']);
});
