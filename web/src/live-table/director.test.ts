import { describe, expect, it } from 'vitest';
import { actions, blinds, gameOf, sampleLog } from '../table/sample-log.ts';
import { framesOf, handMs, matters, nextHands } from './choose-hand.ts';
import { runDirector, type Settings } from './director.ts';
import { type LiveHand, type LiveJob, NO_LIVE_JOB } from './live-merge.ts';

const hand = (number: number, change: Partial<LiveHand> = {}): LiveHand => ({
  game_id: `g${number}`,
  game_uuid: String(number),
  pot: 30,
  allIn: false,
  showdown: false,
  out: [],
  ...change,
});

function jobOf(hands: readonly LiveHand[], handsPerSecond: number, change: Partial<LiveJob> = {}): LiveJob {
  const progress = { handsDone: hands.length, numRounds: 1000, handsPerSecond, secondsLeft: 1, status: 'Running' };
  return {
    ...NO_LIVE_JOB,
    attempt: 1,
    hands,
    series: new Map([
      ['ann', []],
      ['bob', []],
    ]),
    progress: { ...progress, startingStack: 10_000, resetsStacks: false, watchers: null },
    ...change,
  };
}
const hands = (count: number, change: Record<number, Partial<LiveHand>> = {}) =>
  Array.from({ length: count }, (_, index) => hand(index + 1, change[index + 1]));
const live = { pace: 'live', mattersOnly: false } as const;

describe('the next hand', () => {
  it('is each hand of a match with two hands a second', () => {
    expect(nextHands(jobOf(hands(5), 2), 3, live)).toEqual([4, 5]);
    expect(nextHands(jobOf(hands(5), 2), 5, live)).toEqual([]);
  });

  it('is at most three hands behind at the pace live', () => {
    expect(nextHands(jobOf(hands(50), 2), 3, live)).toEqual([48, 49, 50]);
    expect(nextHands(jobOf(hands(50), 2), 0, live)).toEqual([48, 49, 50]);
  });

  it('is a recent one of a match with 500 hands a second: eliminations first, then all-ins, then pots', () => {
    const fast = (change: Record<number, Partial<LiveHand>>) => nextHands(jobOf(hands(9_000, change), 500), 10, live);
    expect(fast({ 8000: { pot: 900 }, 100: { pot: 9_000 } })).toEqual([8_000]);
    expect(fast({ 8000: { pot: 900 }, 7500: { allIn: true } })).toEqual([7_500]);
    expect(fast({ 8000: { allIn: true }, 7400: { out: ['ann'] } })).toEqual([7_400]);
  });

  it('is the same for watchers whose streams are some hands apart', () => {
    const all = { 8000: { pot: 900 }, 9002: { pot: 9_000 } };
    expect(nextHands(jobOf(hands(9_000, all), 500), 10, live)).toEqual([8_000]);
    expect(nextHands(jobOf(hands(9_100, all), 490), 7_300, live)).toEqual([8_000]);
  });

  it('is any hand of a fast match that has just begun', () => {
    expect(nextHands(jobOf(hands(2), 500), 0, live)).toEqual([2]);
  });

  it('is every hand in order at a chosen speed', () => {
    expect(nextHands(jobOf(hands(9_000), 500), 10, { pace: 16, mattersOnly: false })).toEqual([11, 12, 13]);
  });

  it('is only a hand that matters, if so chosen', () => {
    const job = jobOf(hands(9, { 2: { showdown: true }, 8: { pot: 2_000 } }), 1);
    expect(nextHands(job, 0, { pace: 1, mattersOnly: true })).toEqual([2, 8]);
    expect(nextHands(job, 8, { pace: 'live', mattersOnly: true })).toEqual([]);
  });

  it('matters with an all-in, a showdown, an elimination or a tenth of all chips', () => {
    const all = [{}, { allIn: true }, { showdown: true }, { out: ['ann'] }, { pot: 1_999 }, { pot: 2_000 }];
    expect(all.map((change) => matters(hand(1, change), 20_000))).toEqual([false, true, true, true, false, true]);
  });
});

const game = gameOf(
  sampleLog([[...blinds, [2, 'FOLD', 0], [0, 'CALL', 5], [1, 'CHECK', 0]], actions('0 CHECK 0, 1 CHECK 0')], {
    final: [10_010, 9_990, 10_000],
  }),
);

describe('the frames of a hand', () => {
  const pacing = { pace: 'live', handsPerSecond: 0.1, reducedMotion: false } as const;
  const total = (given: Parameters<typeof framesOf>[1]) => framesOf(game, given).reduce((sum, { ms }) => sum + ms, 0);

  it('are its end alone if the match plays two hands a second', () => {
    const frames = framesOf(game, { ...pacing, handsPerSecond: 2 });
    expect(frames).toHaveLength(1);
    expect(frames[0]?.state.over).toBe(true);
    expect(frames[0]?.ms).toBeLessThan(500);
  });

  it('take as long for a sampled hand of a fast match as for a hand of a slow one', () => {
    expect(total({ ...pacing, handsPerSecond: 500 })).toBe(total(pacing));
  });

  it('take half the time at 2x', () => {
    expect(total({ ...pacing, pace: 2 })).toBeCloseTo(total({ ...pacing, pace: 1 }) / 2);
  });

  it('are the end alone with reduced motion', () => {
    expect(framesOf(game, { ...pacing, reducedMotion: true })).toHaveLength(1);
    expect(handMs(20, { ...pacing, reducedMotion: true })).toBe(4_000);
  });
});

/** Starts a director over a job that the test changes; waits end at once. */
function startDirector(first: LiveJob, settings: Partial<Settings> = {}) {
  const seen: (number | string)[] = [];
  const loaded: string[] = [];
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let source = { job: first, settings: { ...live, paused: false, reducedMotion: true, jump: 0, ...settings } };
  const done = runDirector({
    source: () => source,
    load: async (gameId) => {
      loaded.push(gameId);
      return gameId === 'g2' ? null : game;
    },
    show: ({ hand: number }) => seen.push(number),
    skip: (number) => seen.push(`skip ${number}`),
    finish: () => seen.push('finish'),
    wait: async () => undefined,
    changed: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
    signal: stop.signal,
  });
  const settled = async () => {
    for (let turn = 0; turn < 1_000; turn += 1) await Promise.resolve();
  };
  const change = async (job: LiveJob, more: Partial<Settings> = {}) => {
    source = { job, settings: { ...source.settings, ...more } };
    for (const wake of [...waiting]) wake();
    await settled();
  };
  const end = () => {
    stop.abort();
    return done;
  };
  return { seen, loaded, change, settled, end };
}

describe('the director', () => {
  it('shows each hand once, and reports a hand that cannot be shown, and the end', async () => {
    const table = startDirector(jobOf(hands(1), 1));
    await table.settled();
    await table.change(jobOf(hands(3), 1));
    await table.change(jobOf(hands(3), 1, { ended: 'Finished' }));
    expect(table.seen).toEqual([1, 'skip 2', 3, 'finish']);
    expect(new Set(table.loaded)).toEqual(new Set(['g1', 'g2', 'g3']));
    await table.end();
  });

  it('starts again with a new attempt', async () => {
    const table = startDirector(jobOf(hands(1), 1));
    await table.settled();
    await table.change(jobOf([], 1, { attempt: 2 }));
    await table.change(jobOf([hand(1)], 1, { attempt: 2 }));
    expect(table.seen).toEqual([1, 1]);
    await table.end();
  });

  it('stops at the shown hand while paused, and continues with the newest ones', async () => {
    const table = startDirector(jobOf(hands(1), 1));
    await table.settled();
    await table.change(jobOf(hands(1), 1), { paused: true });
    await table.change(jobOf(hands(30), 1));
    expect(table.seen).toEqual([1]);
    await table.change(jobOf(hands(30), 1), { paused: false });
    expect(table.seen).toEqual([1, 28, 29, 30]);
    await table.end();
  });

  it('loads nothing of a fast match but the hand that it shows next', async () => {
    const table = startDirector(jobOf(hands(9_000, { 8000: { allIn: true } }), 500), { paused: true });
    await table.settled();
    expect(table.loaded).toEqual([]);
    await table.change(jobOf(hands(9_001, { 8000: { allIn: true } }), 500), { paused: false });
    expect(table.loaded[0]).toBe('g8000');
    await table.end();
  });
});
