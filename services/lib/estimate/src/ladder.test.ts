import { expect, test } from 'vitest';
import { Random } from '../bench/worlds.ts';
import { Ladder, type LadderSet } from './ladder.ts';
import { chooseTable, type LadderCandidate } from './ladder-table.ts';
import { type TrialPair, trialDecision } from './trial.ts';

const players = Array.from({ length: 12 }, (_, bot) => `bot ${bot}`);
const field = players.map((player) => ({ player }));

/** A set of six of the players; each has 100 chips per 100 hands more than the one before. */
function setOf(random: Random, bots = chosen(random)): LadderSet {
  const rates = bots.map((bot) => 100 * bot + 300 * random.normal());
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return {
    hands: 300,
    seats: bots.map((bot, at) => ({ player: players[bot] as string, value: 3.6 * ((rates[at] as number) - mean) })),
  };
}

function chosen(random: Random): number[] {
  const bots = new Set<number>();
  while (bots.size < 6) bots.add(Math.floor(players.length * random.uniform()));
  return [...bots];
}

test('finds known strengths within its intervals, and the same bits after it was stored', () => {
  const random = new Random(4);
  let ladder = Ladder.empty(20);
  const [whole, sets] = [Ladder.empty(20), Array.from({ length: 400 }, () => setOf(random))];
  for (const [index, set] of sets.entries()) {
    whole.add(set);
    ladder.add(set);
    if (index % 150 === 100) ladder = Ladder.load(ladder.save()) as Ladder;
  }
  const ratings = ladder.ratings(field);
  expect(Buffer.from(ladder.save()).equals(whole.save())).toBe(true);
  expect(ratings).toEqual(whole.ratings(field.toReversed()));
  expect(ratings.map(({ player }) => player)).toEqual(players.toReversed());
  const truthOf = (player: string) => 100 * (players.indexOf(player) - 5.5);
  const held = ratings.filter(({ player, low, high }) => low < truthOf(player) && truthOf(player) < high);
  expect(held.length).toBeGreaterThanOrEqual(10);
  for (const { player, low, high, rating, best, rank, worst } of ratings) {
    expect(high - low).toBeLessThan(250);
    expect(Math.abs(rating - truthOf(player))).toBeLessThan(100);
    expect(best <= rank && rank <= worst).toBe(true);
  }
  expect(ratings.reduce((sum, { rating }) => sum + rating, 0)).toBeCloseTo(0);
});

test('starts a version from its predecessor, and keeps the bits of the others when one retires', () => {
  const random = new Random(5);
  const ladder = Ladder.empty(20);
  for (let set = 0; set < 100; set++) ladder.add(setOf(random));
  const successor = { player: 'bot 3 again', predecessor: 'bot 3' };
  const rated = (player: string) => ladder.ratings([...field, successor]).find((one) => one.player === player);
  const [before, waiting] = [rated('bot 3'), rated('bot 3 again')];
  expect(waiting?.sets).toBe(0);
  expect(waiting?.rating).toBeCloseTo(before?.rating ?? Number.NaN);
  expect((waiting?.high ?? 0) - (waiting?.low ?? 0)).toBeGreaterThan((before?.high ?? 0) - (before?.low ?? 0));
  const kept = Ladder.load(ladder.save()) as Ladder;
  ladder.retire('bot 0');
  const others = field.slice(1);
  for (let set = 0; set < 20; set++) {
    const next = setOf(random, [1, 2, 3, 4, 5, 6 + (set % 6)]);
    const seats = next.seats.map((seat, at) => (at === 2 ? { ...seat, ...successor } : seat));
    for (const one of [ladder, kept]) one.add({ ...next, seats });
  }
  expect(ladder.ratings(others)).toEqual(kept.ratings(others));
  expect(rated('bot 3 again')?.sets).toBe(20);
  expect(rated('bot 0')?.rating).toBeLessThan(0);
});

test.each<[string, LadderSet]>([
  [
    'without hands',
    {
      hands: 0,
      seats: [
        { player: 'a', value: 1 },
        { player: 'b', value: -1 },
      ],
    },
  ],
  ['of one player', { hands: 10, seats: [{ player: 'a', value: 1 }] }],
  [
    'with a player twice',
    {
      hands: 10,
      seats: [
        { player: 'a', value: 1 },
        { player: 'a', value: -1 },
      ],
    },
  ],
  [
    'with a value that is no number',
    {
      hands: 10,
      seats: [
        { player: 'a', value: Number.NaN },
        { player: 'b', value: 0 },
      ],
    },
  ],
])('refuses a set %s, and changes nothing', (_, set) => {
  const ladder = Ladder.empty(20);
  expect(() => ladder.add(set)).toThrow(RangeError);
  expect(ladder.sets).toBe(0);
  expect(ladder.save()).toEqual(Ladder.empty(20).save());
});

test('seats one bot of an owner, lets nobody starve, places a newcomer at once, and fills tables with house bots', () => {
  const random = new Random(6);
  const draw = () => random.uniform();
  const bots = Array.from({ length: 40 }, (_, bot) => ({
    player: String(bot),
    owner: `owner ${bot >> 1}`,
    sets: 50,
    lastSetAt: bot as number | null,
    rating: 10 * bot,
    half: 30,
  }));
  const played = new Map<string, number>();
  for (let table = 1; table <= 400; table++) {
    const seated = chooseTable(bots, draw);
    expect(new Set(seated).size).toBe(6);
    expect(new Set(seated.map((player) => bots[Number(player)]?.owner)).size).toBe(6);
    for (const player of seated) {
      played.set(player, (played.get(player) ?? 0) + 1);
      Object.assign(bots[Number(player)] ?? {}, { lastSetAt: 100 + table });
    }
  }
  expect(Math.min(...bots.map(({ player }) => played.get(player) ?? 0))).toBeGreaterThan(20);
  const newcomer: LadderCandidate = { player: 'new', owner: 'new', sets: 0, lastSetAt: null, rating: 0, half: 5000 };
  for (let table = 0; table < 20; table++) expect(chooseTable([...bots, newcomer], draw)[0]).toBe('new');
  const house = Array.from({ length: 6 }, (_, bot) => ({ ...newcomer, player: `house ${bot}`, owner: null }));
  expect(chooseTable(house, draw)).toEqual([]);
  const filled = chooseTable([...house, newcomer, { ...newcomer, player: 'mine too' }], draw);
  expect(filled.map((player) => player.startsWith('house'))).toEqual([false, true, true, true, true, true]);
});

const rule = { alpha: 0.05, margin: 100 };
const pairsOf = (count: number, difference: (random: Random) => number): TrialPair[] => {
  const random = new Random(7);
  return Array.from({ length: count }, () => ({ difference: 3 * difference(random), hands: 300 }));
};

test.each<[string, number, (random: Random) => number, string]>([
  ['few pairs', 5, () => 1000, 'undecided'],
  ['a better version', 60, (random: Random) => 250 + 300 * random.normal(), 'better'],
  ['a worse version', 60, (random: Random) => -250 + 300 * random.normal(), 'worse'],
  ['equal versions', 250, (random: Random) => 300 * random.normal(), 'no_difference'],
  ['versions that play alike', 60, () => 0, 'no_difference'],
  ['too much chance', 100, (random: Random) => 2000 * random.normal(), 'undecided'],
])('decides on %s', (_, count, difference, verdict) => {
  const decision = trialDecision(pairsOf(count, difference), rule);
  expect(decision.verdict).toBe(verdict);
  expect(decision.hands).toBe(600 * count);
  expect(decision.low).toBeLessThan(decision.estimate);
  expect(decision.high).toBeGreaterThan(decision.estimate);
  // What was excluded stays so: the interval after more pairs lies within this one.
  const more = trialDecision(pairsOf(count + 20, difference), rule);
  expect(more.low).toBeGreaterThanOrEqual(decision.low - 0.2);
  expect(more.high).toBeLessThanOrEqual(decision.high + 0.2);
});

test.each([
  ['alpha', { alpha: 0, margin: 1 }, []],
  ['a margin', { alpha: 0.05, margin: 0 }, []],
  ['a pair', rule, [{ difference: 1, hands: 0 }]],
])('refuses %s that is impossible', (_, impossible, pairs) => {
  expect(() => trialDecision(pairs, impossible)).toThrow(RangeError);
});
