import { type Card, parseCards } from '@husky/holdem/card';
import { equity } from '@husky/holdem/equity';
import { expect, test } from 'vitest';
import { type ChanceTerms, chanceTerms, type FinishedHand } from '../src/luck.ts';
import { HandEquities } from '../src/luck-equity.ts';
import { combinationsOf, HOLE_CLASSES, holeClass, holeTerms } from '../src/luck-hole.ts';
import { MatchLuck } from '../src/luck-match.ts';
import { SeatWeights, streetWeight } from '../src/luck-weight.ts';
import { seededRandom } from '../src/random.ts';
import { type ConstructedBot, type Move, randomBot, styledBot } from './bots.ts';
import { folds, variedField } from './field.ts';
import { playHand, playHands, playMatch } from './play.ts';

const tight = styledBot({ loose: 0.7, aggressive: 1, bluff: 0.05 });
const wild = styledBot({ loose: 1.5, aggressive: 1.3, bluff: 0.3 });
const station = styledBot({ loose: 2.5, aggressive: 0, bluff: 0 });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const chipsOf = ({ events }: ChanceTerms) => events.map(({ chips }) => chips);

/** Plays a line of moves: f, k, c, a, or r60 for a raise that adds 60 chips. */
function scripted(line: string): ConstructedBot {
  const moves = line.split(' ').map((word): Move => {
    const kinds = { f: 1, k: 2, c: 3, r: 4, a: 5 } as const;
    return [kinds[word[0] as keyof typeof kinds], Number(word.slice(1))];
  });
  return () => moves.shift() as Move;
}

/** Plays a line with given hole cards by seat and board; the small blind is at seat 0, the blinds are 5 and 10. */
function handOf(holes: string, board: string, stacks: readonly number[], line: string): FinishedHand {
  const fixed = parseCards(holes);
  const known = new Set([...fixed, ...parseCards(board)]);
  const rest = Array.from({ length: 52 }, (_, card) => card).filter((card) => !known.has(card));
  const deck = [...fixed, ...rest.splice(0, 12 - fixed.length), ...parseCards(board), ...rest];
  const bot = scripted(line);
  const setup = { stacks, bigBlind: 10, last: { nextButton: null, bigBlindSeat: 0 } };
  return playHand(1, new Array(stacks.length).fill(bot), setup, deck, seededRandom(1));
}

test('takes the luck out of an all-in before the flop', () => {
  const hand = handOf('AhAsKdKc', '2h7d9cJsKh', [1000, 1000], 'a c');
  expect(hand.deltas).toEqual([-1000, 1000]);
  const terms = chanceTerms(hand);
  const { runOut } = terms;
  // Aces win 81.9 % of the pot of 2,000 against kings of the other two suits.
  expect(runOut[0]).toBeGreaterThan(-0.84 * 2000);
  expect(runOut[0]).toBeLessThan(-0.8 * 2000);
  expect(runOut[1]).toBe(-(runOut[0] as number));
  expect(chipsOf(terms).slice(1).flat()).toEqual([0, 0, 0, 0, 0, 0]);
});

/** Returns the exact equity by seat of live hands on a board. */
function exact(hand: FinishedHand, live: readonly number[], dead: readonly number[], cards: number): readonly number[] {
  const hole = (seat: number) => [hand.deck[2 * seat], hand.deck[2 * seat + 1]] as [Card, Card];
  const board = Array.from({ length: cards }, (_, index) => hand.deck[12 + index] as Card);
  const hands = hand.stacks.map((_, seat) => (live.includes(seat) ? hole(seat) : null));
  return equity({ hands, board, dead: dead.flatMap(hole) }).share;
}

test('weighs each street by the pot before its cards, exact from the flop on, with folded cards dead', () => {
  const hand = handOf('AhAsKdKc7s6s', '2h7d9cJsKh', [9000, 9000, 9000], 'r30 c c r50 c f k r200 c k k');
  const { events, runOut } = chanceTerms(hand);
  const [, , onTurn, onRiver] = events;
  expect(runOut).toEqual([0, 0, 0]);
  const flop = exact(hand, [0, 1], [2], 3);
  const turn = exact(hand, [0, 1], [2], 4);
  const river = exact(hand, [0, 1], [2], 5);
  expect(river).toEqual([0, 1, 0]);
  // 190 chips lie in the pot before the turn, 590 before the river.
  for (const seat of [0, 1]) {
    const turnChips = streetWeight(2, 8920 / 190) * 190 * ((turn[seat] ?? 0) - (flop[seat] ?? 0));
    const riverChips = streetWeight(3, 8720 / 590) * 590 * ((river[seat] ?? 0) - (turn[seat] ?? 0));
    expect(onTurn.chips[seat]).toBeCloseTo(turnChips, 8);
    expect(onRiver.chips[seat]).toBeCloseTo(riverChips, 8);
  }
  expect([onTurn.chips[2], onRiver.chips[2]]).toEqual([0, 0]);
  expect([onTurn.stakes, onRiver.stakes]).toEqual([
    [80, 80, 30],
    [280, 280, 30],
  ]);
});

test('values each side pot for the players who can win it', () => {
  // Seat 0 is all-in for 100 on the flop, the others go on: main pot 300 for three, side pot 800 for two.
  const hand = handOf('AhAsKdKcQsQc', '2h7d9cJsQh', [100, 500, 900], 'r30 c c r70 c c r400 c');
  const main = [exact(hand, [0, 1, 2], [], 3), exact(hand, [0, 1, 2], [], 5)] as const;
  const side = [exact(hand, [1, 2], [0], 4), exact(hand, [1, 2], [0], 5)] as const;
  const mainTurn = exact(hand, [0, 1, 2], [], 4);
  const { events, runOut } = chanceTerms(hand);
  for (const seat of [0, 1, 2]) {
    const turn = streetWeight(2, 400 / 300) * 300 * ((mainTurn[seat] ?? 0) - (main[0][seat] ?? 0));
    expect(events[2].chips[seat]).toBeCloseTo(turn, 8);
    const inMain = 300 * ((main[1][seat] ?? 0) - (mainTurn[seat] ?? 0));
    const inSide = 800 * ((side[1][seat] ?? 0) - (side[0][seat] ?? 0));
    expect(runOut[seat]).toBeCloseTo(inMain + inSide, 8);
  }
});

test('finds no chance in the board of a hand that ends before the flop', () => {
  const hand = handOf('AhAsKdKc', '2h7d9cJsKh', [1000, 1000], 'r30 f');
  const terms = chanceTerms(hand);
  const [holeCards = [], ...streets] = chipsOf(terms);
  expect([...streets.flat(), ...terms.runOut].every((chips) => chips === 0)).toBe(true);
  expect(holeCards[0]).toBeGreaterThan(0);
  expect(sum(holeCards)).toBeCloseTo(0, 8);
});

test('estimates equities before the flop independently of the board', () => {
  const holes = parseCards('AhAsKdKc');
  const rest = Array.from({ length: 52 }, (_, card) => card).filter((card) => !holes.includes(card));
  const shares = (deck: readonly Card[]) => [...new HandEquities(deck, 3, () => seededRandom(7)).shares(3, 0, 8000)];
  const [first = 0, second = 0] = shares([...holes, ...rest]);
  expect(first).toBeGreaterThan(0.805);
  expect(first).toBeLessThan(0.83);
  expect(first + second).toBeCloseTo(1, 10);
  expect(shares([...holes, ...rest.toReversed()])).toEqual([first, second, 0, 0, 0, 0]);
});

test('gives every seat a value of hole cards with the mean 0 over all deals', () => {
  const counts = new Array<number>(HOLE_CLASSES).fill(0);
  const tables = [2, 3, 4, 5, 6].flatMap((players) =>
    (players < 6 ? ([0, 1] as const) : ([0] as const)).map((empty) => [players, empty] as const),
  );
  for (const [players, empty] of tables) {
    const seats = Array.from({ length: players }, (_, seat) => seat);
    const stacks = seats.map((seat) => 10_000 - 1990 * seat);
    const means = seats.map(() => 0);
    // The terms are sums of one value for each seat, so the expectation depends only on the distribution of each seat's cards.
    // It equals the mean over deals that give all seats the same cards.
    for (let first = 0; first < 52; first++) {
      for (let second = 0; second < first; second++) {
        const deck = seats.flatMap(() => [first, second]);
        const { chips: terms } = holeTerms(deck, seats, stacks, 10, empty);
        for (const seat of seats) means[seat] = (means[seat] ?? 0) + (terms[seat] ?? 0) / 1326;
        expect(Math.abs(sum(terms))).toBeLessThan(1e-9);
        const hole = holeClass(first, second);
        counts[hole] = (counts[hole] ?? 0) + 1 / tables.length;
      }
    }
    for (const mean of means) expect(Math.abs(mean)).toBeLessThan(1e-9);
  }
  for (const [hole, count] of counts.entries()) expect(count).toBeCloseTo(combinationsOf(hole), 8);
});

test('values hole cards after a dead small blind as at a table with that seat', () => {
  const deck = Uint8Array.from({ length: 52 }, (_, card) => (card * 5) % 52);
  const stacks = [1000, 0, 1000, 1000];
  const actions = [{ street: 0, seat: 2, kind: 4, amount: 10 } as const];
  const hand = { number: 1, stacks, bigBlind: 10, deck, actions, deltas: [0, 0, 0, 0] };
  expect(chanceTerms({ ...hand, deadSmallBlind: true }).events[0]).toMatchObject(
    holeTerms(deck, [2, 3, 0], stacks, 10, 1),
  );
  expect(holeTerms(deck, [2, 3, 0], stacks, 10, 1)).not.toEqual(holeTerms(deck, [2, 3, 0], stacks, 10, 0));
});

test('values hole cards by the big blind, and less with a short stack', () => {
  const deck = parseCards('AhAsKdQc');
  const terms = holeTerms(deck, [0, 1], [10_000, 10_000], 10, 0);
  const [aces = 0] = terms.chips;
  expect(aces).toBeGreaterThan(10);
  const double = holeTerms(deck, [0, 1], [20_000, 20_000], 20, 0);
  expect(double.chips[0]).toBeCloseTo(2 * aces, 8);
  expect(double.squares[0]).toBeCloseTo(4 * (terms.squares[0] as number), 8);
  expect(holeTerms(deck, [0, 1], [100, 10_000], 10, 0).chips[0]).toBeCloseTo(aces / 5, 8);
});

test('learns the coefficient of each term, which starts with 0 and may be 0.8 once squares allow for it', () => {
  const random = seededRandom(3);
  const weights = new SeatWeights(2);
  const event = { square: 1 / 12, stake: 0 };
  expect(weights.values([event, event])).toEqual([0, 0]);
  weights.adjust([], 100);
  weights.adjust([], -100);
  expect(weights.values([event, event])).toEqual([0.8, 0.8]);
  const learning = new SeatWeights(2);
  for (let hand = 0; hand < 5000; hand++) {
    const [a, b] = [random() - 0.5, random() - 0.5];
    const terms = [a, b].map((chips) => ({ ...event, chips }));
    learning.adjust(terms, 3 * a + 0.2 * b + random() - 0.5);
  }
  const [first = 0, second = 0] = learning.values([event, event]);
  expect(first).toBeGreaterThan(2.9);
  expect(first).toBeLessThan(3.05);
  expect(second).toBeCloseTo(0.2, 1);
});

test('limits a coefficient by what it could cost: chips that are bet already, and what the adjustment has saved', () => {
  const weights = new SeatWeights(1);
  expect(weights.values([{ square: 100, stake: 5 }])[0]).toBeCloseTo(Math.sqrt((0.3 * 25) / 100), 10);
  weights.adjust([], 20);
  weights.adjust([], 0);
  // The nets deviate from their mean of 10 by 200 in sum of squares, a loss of 5 by 15.
  const limit = Math.sqrt((0.1 * 0.02 * 200 + 0.3 * 225) / 100);
  expect(limit).toBeGreaterThan(0.8);
  expect(weights.values([{ square: 100, stake: 5 }])).toEqual([0.8]);
  expect(weights.values([{ square: 400, stake: 5 }])[0]).toBeCloseTo(limit / 2, 10);
  expect(weights.values([{ square: 0, stake: 0 }])).toEqual([0]);
});

/** Returns the adjusted nets of hands in order. */
function adjusted(hands: Iterable<FinishedHand>): number[][] {
  const luck = new MatchLuck();
  return [...hands].map((hand) => luck.next(hand));
}

/** Returns the coefficients by seat for the terms of the last hand. */
function coefficients(hands: readonly FinishedHand[]): number[][] {
  const terms = hands.map((hand) => chanceTerms(hand));
  return [0, 1, 2].map((seat) => {
    const weights = new SeatWeights(4);
    const seatTerms = ({ events }: ChanceTerms) =>
      events.map(({ chips, squares, stakes }) => ({
        chips: chips[seat] ?? 0,
        square: squares[seat] ?? 0,
        stake: stakes[seat] ?? 0,
      }));
    for (const [index, hand] of hands.slice(0, -1).entries()) {
      const own = terms[index] as ChanceTerms;
      weights.adjust(seatTerms(own), (hand.deltas[seat] ?? 0) - (own.runOut[seat] ?? 0));
    }
    return weights.values(seatTerms(terms.at(-1) as ChanceTerms));
  });
}

test('has coefficients and values that do not depend on cards dealt later', () => {
  const before = [...playHands(40, [tight, wild, station], () => [2000, 2000, 2000], 5)];
  const line = 'r30 c c r50 c f k r200 c k k';
  const stacks = [9000, 9000, 9000];
  const hand = handOf('AhAsKdKc7s6s', '2h7d9cJsKh', stacks, line);
  const present = coefficients([...before, hand]);
  expect(present.flat().some((value) => value > 0)).toBe(true);
  // The same bets with other cards.
  const other = handOf('2c3d8h8sQdQs', 'Ac4d5h6hTd', stacks, line);
  expect(coefficients([...before, other])).toEqual(present);
  // Another turn, to which the players react in another way: hole cards and flop keep their coefficients.
  const turned = handOf('AhAsKdKc7s6s', '2h7d9cKsQh', stacks, 'r30 c c r50 c f r600 f');
  const upTo = (event: number, values: readonly number[][]) => values.map((seat) => seat.slice(0, event));
  expect(upTo(3, coefficients([...before, turned]))).toEqual(upTo(3, present));
  // Values of earlier hands stay what they were.
  expect(adjusted([...before, other]).slice(0, 40)).toEqual(adjusted(before));
  expect(adjusted([...before, hand])).toEqual(adjusted([...before, hand]));
});

const variance = (values: readonly number[]): number =>
  sum(values.map((value) => (value - sum(values) / values.length) ** 2)) / values.length;

const field = (...names: readonly string[]): ConstructedBot[] =>
  names.map((name) => variedField[name] as ConstructedBot);

test.each<[string, ConstructedBot[], (bots: readonly ConstructedBot[], seed: number) => Iterable<FinishedHand>]>([
  [
    'with six seats',
    [folds, ...field('calls small bets', 'raises good cards, then gives up', 'wild', 'house', 'raises always')],
    (bots, seed) => playHands(1000, bots, () => bots.map(() => 10_000), seed),
  ],
  ['heads-up', [folds, wild], (bots, seed) => playHands(500, bots, () => [10_000, 10_000], seed)],
  ['in 50 hands', [folds, wild, tight], (bots, seed) => playHands(50, bots, () => bots.map(() => 10_000), seed)],
  ['with carried stacks', [folds, wild, tight, station], (bots, seed) => playMatch(400, bots, 10_000, seed)],
])('makes no variance larger, not even that of a bot that only folds, %s', (_, bots, play) => {
  const played = [1, 2, 3].map((seed) => [...play(bots, seed)]);
  const nets = played.flatMap((hands) => adjusted(hands));
  for (const seat of bots.keys()) {
    const raw = variance(played.flat().map(({ deltas }) => deltas[seat] ?? 0));
    expect(variance(nets.map((values) => values[seat] ?? 0)) / raw, `seat ${seat}`).toBeLessThan(1.02);
  }
});

// Fixed seeds: these tests have one result. A bias of the size of its standard error or more would make most of the 20 means large.
test.each([
  ['bots that play at random', [randomBot]],
  ['bots that play by their cards', [tight, wild, station]],
])('leaves the expectation of the net of %s unchanged', (_, kinds) => {
  const deviations: number[] = [];
  for (const players of [2, 3, 4, 5, 6]) {
    const bots = Array.from({ length: players }, (_, seat) => kinds[seat % kinds.length] as ConstructedBot);
    const changes = bots.map(() => ({ count: 0, sum: 0, squares: 0 }));
    const stacksOf = (random: () => number) => bots.map(() => 20 + Math.floor(random() * 3000));
    for (const seed of [1, 2, 3, 4]) {
      const luck = new MatchLuck();
      for (const hand of playHands(500, bots, stacksOf, 10 * players + seed)) {
        const nets = luck.next(hand);
        for (const [seat, change] of changes.entries()) {
          const chance = (hand.deltas[seat] ?? 0) - (nets[seat] ?? 0);
          change.count += 1;
          change.sum += chance;
          change.squares += chance * chance;
        }
      }
    }
    for (const { count, sum: total, squares } of changes)
      deviations.push(total / Math.sqrt(squares - total ** 2 / count));
  }
  expect(Math.max(...deviations.map(Math.abs))).toBeLessThan(3.5);
  expect(Math.sqrt(sum(deviations.map((deviation) => deviation ** 2)) / deviations.length)).toBeLessThan(1.4);
});
