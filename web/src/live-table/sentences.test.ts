import { describe, expect, it } from 'vitest';
import { type LiveJob, NO_LIVE_JOB } from './live-merge.ts';
import { compareRows, standingAfter } from './live-standing.tsx';
import { refusalSentence, statusSentence } from './sentences.ts';
import type { DirectorState } from './use-director.ts';
import type { LiveView } from './use-live-job.ts';

const hand = (number: number, out: string[] = []) => ({
  game_id: `g${number}`,
  game_uuid: String(number),
  pot: 0,
  allIn: false,
  showdown: false,
  out,
});
const viewOf = (job: Partial<LiveJob>, change: Partial<LiveView> = {}): LiveView => ({
  job: { ...NO_LIVE_JOB, ...job },
  state: 'live',
  refusal: null,
  ...change,
});
const nothing: DirectorState = { shown: null, skipped: null, finished: false, refusal: null };
const live = { pace: 'live', mattersOnly: false, paused: false } as const;
const shown = (number: number) => ({ ...nothing, shown: { hand: number } }) as DirectorState;

describe('why there is no table', () => {
  it.each([
    [viewOf({ ended: 'Deleted' }), nothing, 'This match was deleted.'],
    [viewOf({}, { state: 'refused', refusal: 403 }), nothing, 'This match is private.'],
    [viewOf({ ended: 'Finished' }), { ...nothing, refusal: 403 }, 'This match is private.'],
    [viewOf({}, { state: 'refused', refusal: 404 }), nothing, 'This match was not found.'],
    [viewOf({}, { state: 'refused' }), nothing, 'The live stream is not available. Reload the page to try again.'],
    [viewOf({ attempt: 1 }), nothing, null],
  ])('case %#', (view, director, sentence) => expect(refusalSentence(view, director)).toBe(sentence));
});

describe('the state of the table', () => {
  it.each([
    ['Connection lost. Reconnecting...', viewOf({}, { state: 'retrying' }), shown(1)],
    ['The server has sent nothing for some seconds.', viewOf({}, { state: 'stalled' }), shown(1)],
    ['Waiting for the first hand.', viewOf({ attempt: 1 }), nothing],
    ['The match was started again. Waiting for its first hand.', viewOf({ attempt: 2 }), nothing],
    ['Hand 3 could not be loaded.', viewOf({ attempt: 1 }), { ...shown(2), skipped: 3 }],
    [
      'The match has ended after 1 hand.',
      viewOf({ attempt: 1, hands: [hand(1)], ended: 'Finished' }),
      { ...shown(1), finished: true },
    ],
    ['', viewOf({ attempt: 1, hands: [hand(1)] }), shown(1)],
  ])('%s', (sentence, view, director) => expect(statusSentence(view, director, live)).toBe(sentence));

  it('counts the hands that a paused table is behind', () => {
    const view = viewOf({ attempt: 1, hands: [hand(1), hand(2)] });
    expect(statusSentence(view, shown(1), { ...live, paused: true })).toBe('Paused. 1 hand behind the match.');
  });
});

it('lists players in play by chips, then those who are out, the last one first', () => {
  const series = new Map([
    ['ann', [-5, -10_000, -10_000]],
    ['bob', [5, 9_000, 20_000]],
    ['cat', [0, 1_000, -10_000]],
  ]);
  const job = { ...NO_LIVE_JOB, attempt: 1, series, hands: [hand(1), hand(2, ['ann']), hand(3, ['cat'])] };
  const rows = (after: number) => standingAfter(job, after).map(({ name, delta, outIn }) => [name, delta, outIn]);
  expect(rows(1)[0]).toEqual(['bob', 5, null]);
  expect(rows(3)).toEqual([
    ['bob', 20_000, null],
    ['cat', -10_000, 3],
    ['ann', -10_000, 2],
  ]);
});

it('lists players by results alone if every hand starts with the starting stack', () => {
  const series = new Map([
    ['ann', [-10_000, -20_000]],
    ['bob', [10_000, 20_000]],
  ]);
  const progress = {
    handsDone: 2,
    numRounds: 10,
    handsPerSecond: 1,
    secondsLeft: 8,
    status: 'Running',
    startingStack: 10_000,
    resetsStacks: true,
    watchers: null,
  };
  const job = { ...NO_LIVE_JOB, attempt: 1, series, hands: [hand(1), hand(2)], progress };
  expect(standingAfter(job, 2)).toEqual([
    { name: 'bob', delta: 20_000, stack: null, outIn: null },
    { name: 'ann', delta: -20_000, stack: null, outIn: null },
  ]);
});

it('gives players the same rank who have the same chips, or went out in the same hand', () => {
  const series = new Map([
    ['zoe', [5]],
    ['ann', [5]],
    ['bob', [-5]],
    ['cat', [-5]],
  ]);
  const rows = standingAfter({ ...NO_LIVE_JOB, attempt: 1, series, hands: [hand(1, ['bob', 'cat'])] }, 1);
  expect(rows.map((row) => 1 + rows.findIndex((other) => compareRows(other, row) === 0))).toEqual([1, 1, 3, 3]);
});
