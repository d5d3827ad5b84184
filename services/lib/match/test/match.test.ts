import { Action } from '@husky/holdem/action';
import { describe, expect, it, test } from 'vitest';
import { csvLine } from '../src/csv.ts';
import { DECISION_BOUNDS_MS, decisionPercentile } from '../src/decision-times.ts';
import { type BotFaults, summarizeFaults } from '../src/fault.ts';
import { Prediction } from '../src/prediction.ts';

describe('csv', () => {
  const formulas = ['=', '+', '-', '@', '\t', '\r'].map((start) => `${start}1`);

  test('a line for programs quotes texts and keeps their form', () => {
    expect(csvLine([null, undefined, 'a "quoted", text', { admin: true }, -2.5])).toBe(
      ',,"a ""quoted"", text","{""admin"":true}",-2.5\r\n',
    );
    expect(csvLine(['-1-1', ...formulas])).toBe(`${['-1-1', ...formulas].map((text) => `"${text}"`).join(',')}\r\n`);
  });

  test('a line for a spreadsheet has an apostrophe before what would be evaluated as a formula', () => {
    expect(csvLine([...formulas, -5, 'ann'], { spreadsheet: true })).toBe(
      `${formulas.map((text) => `"'${text}"`).join(',')},-5,"ann"\r\n`,
    );
  });
});

describe('decision times', () => {
  it('keeps the bounds of the buckets that stored reports have', () => {
    expect(DECISION_BOUNDS_MS).toEqual([0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]);
  });

  it('gives the upper bound of the bucket that contains the percentile, at most the longest time', () => {
    const counts = [50, 0, 45, 5];
    expect([0, 0.5, 0.51, 0.95, 0.96, 1].map((share) => decisionPercentile(counts, share, 1.7))).toEqual([
      0.2, 0.2, 1, 1, 1.7, 1.7,
    ]);
    const longer = [...new Array<number>(15).fill(0), 3];
    expect(decisionPercentile(longer, 0.5, 30_000)).toBe(30_000);
    expect(decisionPercentile([], 0.5, 0)).toBe(0);
  });
});

describe('fault', () => {
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
});

describe('prediction', () => {
  const { FOLD, CHECK, CALL, RAISE, ALL_IN } = Action;

  it('predicts the blinds of the hand before, and no chips of folds, checks and further raises', () => {
    const prediction = new Prediction([100, 100, 100], 2, [5, 10]);
    expect([FOLD, CHECK, RAISE].map((kind) => prediction.amount(kind, 0))).toEqual([0, 0, 5]);
    prediction.apply(RAISE, 0, 5);
    expect([FOLD, CHECK, RAISE].map((kind) => prediction.amount(kind, 1))).toEqual([0, 0, 10]);
    prediction.apply(RAISE, 1, 10);
    expect([FOLD, CHECK, CALL, RAISE, ALL_IN].map((kind) => prediction.amount(kind, 2))).toEqual([0, 0, 10, 0, 100]);
  });

  it('predicts the small blind first after the flop, also beside a player who is all-in', () => {
    const prediction = new Prediction([100, 100, 40], 2, [5, 10]);
    prediction.apply(RAISE, 0, 5);
    prediction.apply(RAISE, 1, 10);
    expect(prediction.seat).toBe(2);
    prediction.apply(ALL_IN, 2, 40);
    prediction.apply(CALL, 0, 35);
    prediction.apply(CALL, 1, 30);
    prediction.nextStreet();
    expect(prediction.seat).toBe(0);
  });

  it('predicts the big blind first after the flop between two players, whoever is out of the match', () => {
    const prediction = new Prediction([100, 0, 100], 2, [5, 10]);
    prediction.apply(RAISE, 0, 5);
    expect(prediction.seat).toBe(2);
    prediction.apply(RAISE, 2, 10);
    prediction.apply(CALL, 0, 5);
    prediction.nextStreet();
    expect(prediction.seat).toBe(2);
  });
});
