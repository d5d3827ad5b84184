import { expect, it } from 'vitest';
import { engineLogs, seededRandom } from '../table/engine-log.ts';
import { gameOf } from '../table/sample-log.ts';
import { type Item, type Length, leadChanges, programme, skipText, timeFor } from './director.ts';
import { type LiveHand, type LiveJob, NO_LIVE_JOB } from './live-merge.ts';

const progress = {
  handsDone: 0,
  handsPerSecond: 50,
  secondsLeft: null,
  status: 'Running',
  startingStack: 10_000,
  resetsStacks: false,
  watchers: null,
};

function jobOf(hands: readonly LiveHand[], series: LiveJob['series'], numRounds = hands.length): LiveJob {
  return { ...NO_LIVE_JOB, attempt: 1, hands, series, progress: { ...progress, numRounds }, ended: 'Finished' };
}

const hand = (number: number, change: Partial<LiveHand> = {}): LiveHand => ({
  game_id: `g${number}`,
  game_uuid: String(number),
  pot: 30,
  allIn: false,
  showdown: false,
  out: [],
  ...change,
});

/** A match of random play on our engine. */
function engineMatch(players: number, seed: number): LiveJob {
  const games = engineLogs(players, 400, seed).map(gameOf);
  const names = games[0]?.players.map(({ name }) => name) ?? [];
  const totals = names.map((_, seat) => games.map(({ players: at }) => (at[seat]?.finalChips ?? 0) - 10_000));
  const hands = games.map(({ players: at, rounds }, index) =>
    hand(index + 1, {
      allIn: rounds.some(({ actions }) => actions.some(({ kind }) => kind === 'ALL IN')),
      showdown: rounds.length === 4,
      out: at.filter(({ startChips, finalChips }) => startChips > 0 && finalChips === 0).map(({ name }) => name),
    }),
  );
  return jobOf(hands, new Map(names.map((name, seat) => [name, totals[seat] ?? []])));
}

/** A long match with small pots, some big ones and players who go out, which leads by turns. */
function longMatch(count: number, seed: number): LiveJob {
  const random = seededRandom(seed);
  const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'];
  const stacks = names.map(() => 10_000);
  const totals: number[][] = names.map(() => []);
  const hands: LiveHand[] = [];
  while (hands.length < count && stacks.filter((stack) => stack > 0).length > 1) {
    const alive = [...stacks.keys()].filter((seat) => (stacks[seat] ?? 0) > 0).sort(() => random() - 0.5);
    const [winner = 0, loser = 0] = alive;
    const allIn = random() < 0.02;
    const bet = allIn ? 10_000 : Math.ceil(10 + 600 * random() ** 8);
    const lost = Math.min(bet, stacks[winner] ?? 0, stacks[loser] ?? 0);
    stacks[winner] = (stacks[winner] ?? 0) + lost;
    stacks[loser] = (stacks[loser] ?? 0) - lost;
    for (const [seat, stack] of stacks.entries()) totals[seat]?.push(stack - 10_000);
    const out = stacks[loser] === 0 ? [names[loser] ?? ''] : [];
    hands.push(hand(hands.length + 1, { pot: 2 * lost, allIn, showdown: random() < 0.3, out }));
  }
  return jobOf(hands, new Map(names.map((name, seat) => [name, totals[seat] ?? []])), count);
}

/** What is known of a match after some hands. */
const until = (job: LiveJob, count: number, ended: string | null): LiveJob => ({
  ...job,
  hands: job.hands.slice(0, count),
  series: new Map([...job.series].map(([name, values]) => [name, values.slice(0, count)])),
  ended,
});

/** Puts a whole match on air as its viewer sees it. `known`: how much of the match is known when so much was shown, in ms. */
function broadcast(job: LiveJob, length: Length, known: (shownMs: number) => LiveJob = () => job) {
  const items: Item[] = [];
  let shownMs = 0;
  let position = { after: 0, leftMs: timeFor(known(0), length, 0) };
  for (let waits = 0; waits < 1_000; ) {
    const now = known(shownMs);
    const [item] = programme(now, position);
    if (item === undefined) {
      if (now.ended !== null) break;
      waits += 1;
      shownMs += 100;
      continue;
    }
    const ms = item.ms + (item.skip?.ms ?? 0);
    items.push(item);
    shownMs += ms;
    position = { after: item.hand, leftMs: position.leftMs === null ? null : Math.max(0, position.leftMs - ms) };
  }
  return { items, shownMs };
}

const matches: readonly (readonly [string, LiveJob])[] = [
  ...[2, 3, 4, 6].flatMap((players) =>
    [1, 2].map((seed) => [`engine, ${players} players, seed ${seed}`, engineMatch(players, seed)] as const),
  ),
  ...[40, 200, 612, 1_000].flatMap((count) =>
    [1, 2, 3].map((seed) => [`${count} hands, seed ${seed}`, longMatch(count, seed)] as const),
  ),
];

it.each(matches)(
  'makes programmes of %s: of the wished length, with every decisive hand, no result before its hand',
  (_, job) => {
    const out = job.hands.flatMap((one, index) => (one.out.length > 0 ? [index + 1] : []));
    const decisive = [...out, ...leadChanges(job), job.hands.length];
    // A hand every 16 ms, as fast bots play.
    const fast = (shownMs: number) => {
      const count = 1 + Math.floor(shownMs / 16);
      return count >= job.hands.length ? job : until(job, count, null);
    };
    const allMs = broadcast(job, 'all').shownMs;
    const programmes = [
      ...([1, 3, 10] as const).map((length) => ({ length, must: decisive, ...broadcast(job, length) })),
      { length: 3, must: out, ...broadcast(job, 3, fast) },
    ];
    for (const { length, must, items, shownMs } of programmes) {
      if (allMs > length * 60_000) expect(Math.abs(shownMs / (length * 60_000) - 1)).toBeLessThan(0.1);
      else expect(shownMs).toBeLessThan(length * 66_000);
      const shown = items.map((item) => item.hand);
      expect(must.filter((number) => !shown.includes(number))).toEqual([]);
      let before = 0;
      for (const { hand: number, skip } of items) {
        expect([skip?.from ?? number, skip?.to ?? number - 1]).toEqual([before + 1, number - 1]);
        if (skip !== null)
          expect(skipText(until(job, skip.to, null), skip.from, skip.to)).toBe(skipText(job, skip.from, skip.to));
        before = number;
      }
    }
  },
);

it('gives the newest hand of a slow match at once, and each hand of a match that is asked for everything', () => {
  const job = until(longMatch(200, 1), 12, null);
  expect(programme(job, { after: 11, leftMs: 100_000 }).map((item) => item.hand)).toEqual([12]);
  expect(programme(job, { after: 12, leftMs: 100_000 })).toEqual([]);
  expect(programme(job, { after: 0, leftMs: null })).toHaveLength(12);
});

it('counts no change of the lead by a few chips, but the last one of a match that has ended', () => {
  const series = new Map([
    ['ann', [100, -100, 100, 2_000, 1_950, 1_000]],
    ['bob', [-100, 100, -100, -2_000, 1_900, 1_100]],
  ]);
  const job = jobOf(
    [1, 2, 3, 4, 5, 6].map((number) => hand(number)),
    series,
  );
  expect(leadChanges({ ...job, ended: null })).toEqual([]);
  expect(leadChanges(job)).toEqual([6]);
});

it('describes what was not shown', () => {
  const series = new Map([
    ['ann', [0, -9_800, -9_800, -10_000]],
    ['bob', [0, 9_800, 9_800, 10_000]],
  ]);
  const job = jobOf([hand(1), hand(2), hand(3), hand(4, { out: ['ann'] })], series);
  expect(skipText(job, 1, 1)).toBe('Hand 1: nobody won a chip, nobody leads alone.');
  expect(skipText(job, 1, 3)).toBe('Hands 1 to 3: ann lost $9,800 in hand 2, bob leads.');
  expect(skipText(job, 4, 4)).toBe('Hand 4: ann lost $200, ann is out, bob leads.');
});
