import { describe, expect, it } from 'vitest';
import { statesOf } from '../table/replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from '../table/sample-log.ts';
import bundle from './exhibition.json' with { type: 'json' };
import { exhibitionJob, exhibitionLogs } from './exhibition.tsx';
import { type LiveHand, type LiveJob, NO_LIVE_JOB } from './live-merge.ts';
import { framesOf, type Loaded, playBroadcast, type Settings } from './play.ts';
import { standingAfter } from './standing.tsx';
import { matchState, playedSentence } from './state.ts';
import type { BroadcastState } from './use-broadcast.ts';
import type { LiveView } from './use-live-job.ts';

const hand = (number: number, out: string[] = []): LiveHand => ({
  game_id: `g${number}`,
  game_uuid: String(number),
  pot: 30,
  allIn: false,
  showdown: false,
  out,
});

/** A match of two players whose chips move in every fifth hand. */
function jobOf(count: number, change: Partial<LiveJob> = {}): LiveJob {
  const totals = Array.from({ length: count }, (_, index) => 1_000 * Math.floor((index + 1) / 5));
  return {
    ...NO_LIVE_JOB,
    attempt: 1,
    hands: totals.map((_, index) => hand(index + 1)),
    series: new Map([
      ['ann', totals],
      ['bob', totals.map((total) => -total)],
    ]),
    progress: {
      handsDone: count,
      numRounds: 100,
      handsPerSecond: 10,
      secondsLeft: 1,
      status: 'Running',
      startingStack: 10_000,
      resetsStacks: false,
      watchers: null,
    },
    ...change,
  };
}

const game = gameOf(
  sampleLog([[...blinds, [2, 'FOLD', 0], [0, 'CALL', 5], [1, 'CHECK', 0]], actions('0 CHECK 0, 1 CHECK 0')], {
    final: [10_010, 9_990, 10_000],
  }),
);

it('shows each action of a hand if there is time, else its streets, else its end alone; in all, the time of the hand', () => {
  const counts = [10_000, 2_000, 300].map((ms) => {
    const frames = framesOf(game, ms, false);
    expect(frames.reduce((sum, frame) => sum + frame.ms, 0)).toBeCloseTo(ms);
    expect(frames.at(-1)?.state.over).toBe(true);
    return frames.length;
  });
  expect(counts).toEqual([10, 2, 1]);
  expect(framesOf(game, 10_000, true)).toHaveLength(1);
});

/** Puts a match on air that the test changes; waits end at once. */
function start(first: LiveJob, settings: Partial<Settings> = {}, load: (gameId: string) => Loaded = () => game) {
  const seen: (number | string)[] = [];
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  const all: Settings = { length: 1, paused: false, reducedMotion: true, jump: 0, ...settings };
  let source = { job: first, settings: all, swings: new Map<number, number>() };
  const done = playBroadcast({
    source: () => source,
    load: async (gameId) => load(gameId),
    show: ({ hand: number, skip }) => seen.push(skip ?? number),
    away: (away) => {
      if (away) seen.push('away');
    },
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
  const change = async (job: LiveJob, more: Partial<Settings> = {}) => {
    source = { ...source, job, settings: { ...source.settings, ...more } };
    for (const wake of [...waiting]) wake();
    for (let turn = 0; turn < 2_000; turn += 1) await Promise.resolve();
  };
  const end = () => {
    stop.abort();
    return done;
  };
  return { seen, change, end };
}

describe('a broadcast', () => {
  it('shows hands as they are played, tells what it leaves out, and reports the end once', async () => {
    const table = start(jobOf(1));
    await table.change(jobOf(1));
    await table.change(jobOf(30));
    await table.change(jobOf(30, { ended: 'Finished' }));
    expect(table.seen.slice(0, 3)).toEqual([1, 'Hands 2 to 4: nobody won a chip, nobody leads alone.', 5]);
    const shown = table.seen.filter((entry) => typeof entry === 'number');
    expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
    expect(table.seen.slice(-2)).toEqual([30, 'finish']);
    await table.end();
  });

  it('stops while paused, goes to the newest hand on request, and starts again with a new attempt', async () => {
    const table = start(jobOf(1), { length: 'all' });
    await table.change(jobOf(1), { paused: true });
    await table.change(jobOf(40));
    expect(table.seen).toEqual([1]);
    await table.change(jobOf(40), { paused: false, jump: 1 });
    expect(table.seen).toEqual([1, 'Hands 2 to 39: ann won $1,000 in hand 5, ann leads.', 40]);
    await table.change(jobOf(0, { attempt: 2 }));
    await table.change(jobOf(1, { attempt: 2 }));
    expect(table.seen.slice(2)).toEqual([40, 1]);
    await table.end();
  });

  it('waits for the server with the last hand, and tells a hand that is gone in words', async () => {
    let tries = 0;
    const table = start(jobOf(3, { ended: 'Finished' }), { length: 'all' }, (gameId) => {
      if (gameId === 'g2') return 'gone';
      if (gameId === 'g3' && tries++ < 2) return 'away';
      return game;
    });
    await table.change(jobOf(3, { ended: 'Finished' }));
    const gone = 'Hand 2: nobody won a chip, nobody leads alone.';
    expect(table.seen).toEqual([1, 'away', 'away', gone, 3, 'finish']);
    await table.end();
  });
});

const viewOf = (change: Partial<LiveJob> = {}, state: LiveView['state'] = 'live'): LiveView => ({
  job: jobOf(12, change),
  state,
  refusal: null,
});
const air = (change: Partial<BroadcastState> = {}): BroadcastState => ({
  onAir: {
    hand: 3,
    gameId: 'g3',
    game,
    state: framesOf(game, 1, true)[0]?.state as never,
    skip: null,
    known: 3,
    slow: true,
  },
  finished: false,
  away: false,
  refusal: null,
  ...change,
});

it('has one status and one sentence for each state of a match', () => {
  const none = { attempt: null, hands: [], progress: null };
  const states = [
    { status: 'Pending', queuePosition: 3, view: viewOf(none, 'connecting') },
    { status: 'Running', view: viewOf({ hands: [] }) },
    { status: 'Running', view: viewOf(), air: air(), paused: true },
    { status: 'Running', view: viewOf({}, 'retrying'), air: air() },
    // The stream has ended, the job's status is read later.
    { status: 'Running', view: viewOf({ ended: 'Finished' }, 'ended'), air: air({ finished: true }) },
    { status: 'Running', view: viewOf({ ended: 'Deleted' }, 'ended'), air: air() },
    { status: 'Finished', view: { ...viewOf({ ...none, ended: 'Finished' }), refusal: 403 } },
    { view: viewOf(), air: air({ away: true }) },
  ].map((facts) => matchState(facts));
  expect(states.map(({ status, sentence }) => `${status}: ${sentence}`)).toEqual([
    'Pending: Waiting for a free runner: place 3 in the queue.',
    'Running: Waiting for the first hand.',
    'Running: Paused. As played at 00:00, live.',
    'Running: Connection lost. Reconnecting...',
    'Finished: The match ended after 12 hands. All of the broadcast was shown.',
    'Deleted: This match was deleted.',
    'Finished: This match is private.',
    'Running: The server cannot be reached. The broadcast goes on when it is back.',
  ]);
});

it('tells when a hand was played', () => {
  const texts = [1_000, 40_000, 130_000].map((nowMs) => playedSentence({ game }, nowMs).replace(/\d\d:\d\d/, 'T'));
  expect(texts).toEqual([
    'As played at T, live.',
    'As played at T, 40 seconds behind.',
    'As played at T, 2 minutes behind.',
  ]);
});

it('ranks players in play by chips, then those who are out, the last one first; equals share a rank', () => {
  const series = new Map(Object.entries({ ann: [0, 500], bob: [0, 500], cat: [-10_000, -10_000], dan: [0, -10_000] }));
  const job = jobOf(2, { series, hands: [hand(1, ['cat']), hand(2, ['dan'])] });
  const rows = (of: LiveJob, after: number) =>
    standingAfter(of, after).map(({ rank, name, stack, outIn }) => `${rank} ${name} ${outIn ?? stack}`);
  expect(rows(job, 2)).toEqual(['1 ann 10500', '1 bob 10500', '3 dan 2', '4 cat 1']);
  expect(rows(job, 0)).toEqual(['1 ann 10000', '1 bob 10000', '1 cat 10000', '1 dan 10000']);
});

it('bundles a whole match of the house bots without an irregularity, in less than 20 kB', () => {
  const games = exhibitionLogs.map(gameOf);
  expect(games.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(games.map(({ players }) => players.map((player) => player.finalChips))).toEqual(
    games.map((one) =>
      statesOf(one, 'action')
        .at(-1)
        ?.seats.map(({ stack }) => stack),
    ),
  );
  expect(exhibitionJob.hands.flatMap(({ out }) => out)).toHaveLength(5);
  expect(JSON.stringify(bundle).length).toBeLessThan(20_000);
});
