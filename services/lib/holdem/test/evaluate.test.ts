import { describe, expect, it } from 'vitest';
import { cardCode, parseCard, parseCards } from '../src/card.ts';
import { CATEGORIES, describeHand, describeShown, describeValue, evaluate, handCategory } from '../src/evaluate.ts';
import { buildTables, HASH_BITS, RANK_HASHES, type RankTable, ROW_BITS, ROW_MASK } from '../src/rank-tables.ts';
import { seeded, shuffle } from './play.ts';

/**
 * Reference evaluator without tables or hashes. Returns the category and the tie-breaking ranks (0 to 12) of five cards as one
 * number. Equal hands have equal values, better ones higher values.
 */
function fiveValue(ranks: readonly number[], flush: boolean): number {
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].sort(([a, many], [b, more]) => more - many || b - a);
  const shape = groups.map(([, count]) => count).join('');
  const sorted = groups.map(([rank]) => rank);
  const wheel = sorted.join() === '12,3,2,1,0';
  const straight = shape === '11111' && (wheel || (sorted[0] as number) - (sorted[4] as number) === 4);
  const plain = { '41': 7, '32': 6, '311': 3, '221': 2, '2111': 1 }[shape] ?? 0;
  const category = straight ? (flush ? 8 : 4) : flush ? 5 : plain;
  const compared = wheel ? [3] : sorted;
  return compared.reduce((sum, rank, index) => sum + rank * 13 ** (4 - index), category * 13 ** 5);
}

const value = (codes: string): number => evaluate(parseCards(codes));

const slowValue = (cards: readonly number[]): number =>
  fiveValue(
    cards.map((card) => card >> 2),
    new Set(cards.map((card) => card & 3)).size === 1,
  );

function slowBest(cards: number[]): number {
  if (cards.length === 5) return slowValue(cards);
  return Math.max(...cards.map((_, out) => slowBest(cards.filter((__, index) => index !== out))));
}

describe('evaluator', () => {
  it('28. ranks the wheel as the lowest straight and the steel wheel as the lowest straight flush', () => {
    expect(handCategory(value('Ah2d3c4s5h'))).toBe(4);
    expect(value('Ah2d3c4s5h')).toBeLessThan(value('2d3c4s5h6h'));
    expect(value('Ah2d3c4s5hKdQd')).toBe(value('5c4d3d2sAc9h9d'));
    expect(handCategory(value('Ah2h3h4h5h'))).toBe(8);
    expect(value('Ah2h3h4h5h')).toBeLessThan(value('2h3h4h5h6h'));
    expect(value('Ah2h3h4h5h')).toBeGreaterThan(value('AhAdAcAsKh'));
  });

  it('28. does not accept a straight that wraps around the ace, such as QKA23', () => {
    expect(handCategory(value('QhKdAc2s3h'))).toBe(0);
  });

  it('28. compares kickers down to the fifth card and ignores the other two', () => {
    expect(value('AhAd9c8s4h')).toBeGreaterThan(value('AcAs9d8h3c'));
    expect(value('AhAd9c8s4h3d2c')).toBe(value('AcAs9d8h4c2d3h'));
  });

  it('28. uses the two best of three pairs and the best kicker', () => {
    expect(describeHand(parseCards('KhKdTcTs4h4dAc'))).toBe('Two Pair, Kings and Tens');
    expect(value('KhKdTcTs4h4dAc')).toBe(value('KhKdTcTsAh3d2c'));
    expect(value('KhKdTcTs9h9d2c')).toBe(value('KhKdTcTs9h3d2c'));
  });

  it('28. values two three-of-a-kinds as a full house', () => {
    expect(describeHand(parseCards('7h7d7c9s9h9dAc'))).toBe('Full House, Nines over Sevens');
    expect(describeHand(parseCards('7h7d7c9s9hTdTc'))).toBe('Full House, Sevens over Tens');
  });

  it('28. gives a flush on the board to everybody without a higher card of its suit', () => {
    const board = 'Kh9h7h5h3h';
    expect(value(`${board}AdAc`)).toBe(value(`${board}2h4d`));
    expect(value(`${board}Ah2c`)).toBeGreaterThan(value(`${board}Qh2c`));
  });

  it('28. splits when a counterfeited pair leaves both players with the board', () => {
    const board = 'AhAdKcKsQh';
    expect(value(`${board}2h2d`)).toBe(value(`${board}Jh9d`));
  });

  it('agrees with a reference evaluator on random hands of 5, 6 and 7 cards', () => {
    const random = seeded(11);
    const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
    const known = new Map<number, number>();
    for (let trial = 0; trial < 6000; trial++) {
      shuffle(deck, random);
      const cards = [...deck.subarray(0, 5 + (trial % 3))];
      const fast = evaluate(cards, cards.length);
      const slow = slowBest(cards);
      const before = known.get(fast);
      if (before !== undefined) expect(slow, cards.map(cardCode).join('')).toBe(before);
      known.set(fast, slow);
    }
    const byFast = [...known].sort((a, b) => a[0] - b[0]).map(([, slow]) => slow);
    expect(byFast).toEqual([...new Set(byFast)].sort((a, b) => a - b));
  });

  it('gives the 2,598,960 five-card hands 7,462 values with the known frequencies', () => {
    const counts = new Array<number>(9).fill(0);
    const seen = new Uint8Array(7463);
    const cards = [0, 0, 0, 0, 0];
    const walk = (index: number, from: number): void => {
      if (index === 5) {
        const found = evaluate(cards, 5);
        seen[found] = 1;
        const category = handCategory(found);
        counts[category] = (counts[category] as number) + 1;
        return;
      }
      for (let card = from; card < 52; card++) {
        cards[index] = card;
        walk(index + 1, card + 1);
      }
    };
    walk(0, 0);
    expect(counts).toEqual([1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]);
    expect(seen.reduce((sum, flag) => sum + flag, 0)).toBe(7462);
  });

  it('refuses fewer than 5 and more than 7 cards, and numbers that are not values of hands', () => {
    expect(() => value('AhAdAcAs')).toThrow('from 5 to 7 cards');
    expect(() => evaluate(parseCards('AhAdAcAsKhKdKcKs'), 8)).toThrow('from 5 to 7 cards');
    for (const number of [0, 7463, -1, 1.5]) expect(() => handCategory(number)).toThrow('no hand value');
  });
});

describe('names', () => {
  it.each([
    ['AhKd9c7s3h', 'High Card, Ace'],
    ['6h6d9c7s3h', 'One Pair, Sixes'],
    ['KhKdTcTs3h', 'Two Pair, Kings and Tens'],
    ['2h2d2c7s3h', 'Three of a Kind, Twos'],
    ['5h4d3c2sAh', 'Straight, Five high'],
    ['AhJh9h7h3h', 'Flush, Ace high'],
    ['AhAdAcKsKh', 'Full House, Aces over Kings'],
    ['JhJdJcJsKh', 'Four of a Kind, Jacks'],
    ['9h8h7h6h5h', 'Straight Flush, Nine high'],
    ['AhKhQhJhTh', 'Royal Flush'],
  ])('%s is %s', (codes, name) => {
    expect(describeHand(parseCards(codes))).toBe(name);
  });

  it('every value has a name that fits its category', () => {
    for (let found = 1; found <= 7461; found++) {
      expect(describeValue(found).startsWith(CATEGORIES[handCategory(found)] as string)).toBe(true);
    }
    expect(describeValue(7462)).toBe('Royal Flush');
  });

  it.each([
    ['3h3dKc8s2h 3c3sQc8d2d', ['One Pair, Threes, King kicker', 'One Pair, Threes, Queen kicker']],
    ['3h3dKc8s2h 3c3sKd8d2d', ['One Pair, Threes', 'One Pair, Threes']],
    [
      'AhKd9c7s3h AcQd9d7c3d AsQs8d7d2d',
      ['King', 'Queen and Nine', 'Queen and Eight'].map(
        (kickers) => `High Card, Ace, ${kickers} kicker${kickers.length > 5 ? 's' : ''}`,
      ),
    ],
    ['KhKdTcTs4h KcKsThTd3h', ['Two Pair, Kings and Tens, Four kicker', 'Two Pair, Kings and Tens, Three kicker']],
    ['AhJh9h7h3h AdTd9d7d3d', ['Flush, Ace-Jack high', 'Flush, Ace-Ten high']],
    ['AhJh9h7h3h KdTd9d7d3d', ['Flush, Ace high', 'Flush, King high']],
  ])('shown hands %s have the kickers that decide', (hands, names) => {
    expect(describeShown(hands.split(' ').map((hand) => evaluate(parseCards(hand))))).toEqual(names);
  });

  it('every card has a code that parses to the same card', () => {
    for (let card = 0; card < 52; card++) expect(parseCard(cardCode(card))).toBe(card);
    expect(parseCards('2h Td As')).toEqual([0, 33, 51]);
    for (const code of ['', 'T', 'td', '10d', 'TdX']) expect(() => parseCard(code)).toThrow('is no card');
    expect(() => cardCode(52)).toThrow('no card has the number');
  });
});

/** Returns the ranks of every hand of `count` cards, in ascending order, with at most `same` cards of a rank. */
function handsOf(count: number, same: number): number[][] {
  const hands: number[][] = [];
  const extend = (ranks: number[], from: number): void => {
    if (ranks.length === count) hands.push(ranks);
    else
      for (let rank = from; rank < 13; rank++)
        if (ranks.filter((one) => one === rank).length < same) extend([...ranks, rank], rank);
  };
  extend([], 0);
  return hands;
}

const without = (ranks: readonly number[], index: number): number[] => ranks.toSpliced(index, 1);

/** Returns the values of the best five cards of all hands of 5, 6 and 7 cards, by the hand's ranks. */
function bestValues(same: number, flush: boolean): Map<string, number>[] {
  const five = new Map(handsOf(5, same).map((ranks) => [ranks.join(), fiveValue(ranks, flush)]));
  const extended = (before: Map<string, number>, count: number) =>
    new Map(
      handsOf(count, same).map((ranks) => [
        ranks.join(),
        Math.max(...ranks.map((_, index) => before.get(without(ranks, index).join()) as number)),
      ]),
    );
  const six = extended(five, 6);
  return [five, six, extended(six, 7)];
}

const byRanks = bestValues(4, false);
const ofFlushes = bestValues(1, true);
const [five, flushes] = [byRanks[0] as Map<string, number>, ofFlushes[0] as Map<string, number>];
const ordered = [...new Set([...five.values(), ...flushes.values()])].sort((a, b) => a - b);
const classOf = new Map(ordered.map((value, index) => [value, index + 1]));

function classIn({ offsets, values }: RankTable, ranks: string): number | undefined {
  const sum = ranks.split(',').reduce((hashes, rank) => hashes + (RANK_HASHES[Number(rank)] as number), 0);
  const hash = sum % 2 ** HASH_BITS;
  return values[(offsets[hash >>> ROW_BITS] as number) + (hash & ROW_MASK)];
}

describe('rank tables', () => {
  const expected = (values: ReadonlyMap<string, number>) => [...values.values()].map((value) => classOf.get(value));

  it('number the 7,462 classes of five-card hands from 1, the worst', () => {
    const { packed } = buildTables();
    expect(packed).toHaveLength(ordered.length + 1);
    expect(ordered).toHaveLength(7462);
    expect([...packed]).toEqual([...packed].sort((a, b) => a - b));
  });

  it('pack the category and the ranks that decide, the most important first; checked for the best hand of each category', () => {
    const { packed } = buildTables();
    const best = [1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452, 7462];
    expect(best.map((found) => (packed[found] as number).toString(16).padStart(6, '0'))).toEqual([
      '0cba97',
      '1cba90',
      '2cba00',
      '3cba00',
      '4c0000',
      '5cba97',
      '6cb000',
      '7cb000',
      '8c0000',
    ]);
  });

  it('give the class of the best five for the ranks of every hand of 5, 6 and 7 cards without a flush', () => {
    const { five, six, seven } = buildTables();
    for (const [index, table] of [five, six, seven].entries()) {
      const values = byRanks[index] as Map<string, number>;
      expect([...values.keys()].map((ranks) => classIn(table, ranks))).toEqual(expected(values));
    }
  });

  it('give the class of every flush of 5, 6 and 7 cards, and none to fewer or more', () => {
    const { flushes } = buildTables();
    const masks = new Map(
      ofFlushes.flatMap((values) =>
        [...values].map(([ranks, value]) => [
          ranks.split(',').reduce((mask, rank) => mask | (1 << Number(rank)), 0),
          classOf.get(value),
        ]),
      ),
    );
    expect([...flushes]).toEqual(Array.from({ length: 1 << 13 }, (_, mask) => masks.get(mask) ?? 0));
  });
});
