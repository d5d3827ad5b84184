import { expect, it } from 'vitest';
import { type BotFaults, summarizeFaults } from '../src/fault.ts';

const none: BotFaults = {
  decisions: 9,
  counts: [],
  failedCalls: 0,
  neverStarted: false,
  outKind: '',
  firstKind: '',
};

it.each<[string, Partial<BotFaults>, string]>([
  ['', {}, ''],
  [
    'failed 3 of 9 decisions: it raised an exception',
    { counts: [{ count: 1 }, { count: 2 }], firstKind: 'exception' },
    '',
  ],
  [
    'failed 1 of 1 decision: KeyError: 3',
    { decisions: 1, counts: [{ count: 1 }], firstKind: 'exception' },
    'KeyError: 3',
  ],
  ['failed 1 of 9 decisions', { counts: [{ count: 1 }], firstKind: 'unknown' }, ''],
  ['failed 1 of 9 decisions and 1 call of its other methods', { counts: [{ count: 1 }], failedCalls: 1 }, ''],
  ['failed 1 of 9 decisions and 2 calls of its other methods: x', { counts: [{ count: 1 }], failedCalls: 2 }, 'x'],
  ['raised an exception in 1 call of its other methods', { failedCalls: 1 }, ''],
  ['raised an exception in 2 calls of its other methods: x', { failedCalls: 2 }, 'x'],
  ['stopped playing: it stopped running', { outKind: 'crash' }, ''],
  ['stopped playing: x', { outKind: 'crash' }, 'x'],
  ['never started', { neverStarted: true, outKind: 'startup', counts: [{ count: 9 }] }, ''],
  ['never started: x', { neverStarted: true }, 'x'],
  ['', { outKind: 'unknown' }, ''],
])('summarizes: %s', (sentence, faults, firstText) => {
  expect(summarizeFaults({ ...none, ...faults }, firstText)).toBe(sentence);
});

it('describes the kind of the first fault if its text is unknown', () => {
  expect(summarizeFaults({ ...none, counts: [{ count: 1 }], firstKind: 'timeout' })).toBe(
    'failed 1 of 9 decisions: it did not answer in time',
  );
});
