import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Action, type Street } from '@husky/holdem/action';
import { ByteReader, ByteWriter } from '@husky/match/bytes';
import type { HandRecord } from '@husky/match/record';

/** Returns the seats of a bit mask. */
export function seatsOf(mask: number): number[] {
  return [0, 1, 2, 3, 4, 5].filter((seat) => (mask & (1 << seat)) !== 0);
}

/** Returns a byte with the street in bits 0 and 1, showdown in bit 2, all-in in bit 3. */
export function flagsOf({ street, showdown, allIn }: IndexedHand): number {
  return street | (showdown ? 4 : 0) | (allIn ? 8 : 0);
}

/** Packs an index: the number of hands, then a column of varints (pots) and three of bytes (flags, winners, faults), all compressed with zstd. */
export function packIndex(hands: readonly IndexedHand[]): Buffer {
  const out = new ByteWriter();
  out.varint(hands.length);
  for (const { pot } of hands) out.varint(pot);
  for (const hand of hands) out.byte(flagsOf(hand));
  for (const { winners } of hands) out.byte(winners);
  for (const { faults } of hands) out.byte(faults);
  return zstdCompressSync(out.finish(), { params: { [constants.ZSTD_c_compressionLevel]: 12 } });
}

/** Unpacks the index of hands 1, 2, ... Throws RangeError for bytes that are cut short. */
export function unpackIndex(packed: Uint8Array): IndexedHand[] {
  const input = new ByteReader(zstdDecompressSync(packed));
  const count = input.varint();
  const pots = Array.from({ length: count }, () => input.varint());
  const [flags, winners, faults] = [input.take(count), input.take(count), input.take(count)];
  return pots.map((pot, index) => {
    const flag = flags[index] as number;
    return {
      pot,
      street: (flag & 3) as Street,
      showdown: (flag & 4) !== 0,
      allIn: (flag & 8) !== 0,
      winners: winners[index] as number,
      faults: faults[index] as number,
    };
  });
}

/** The facts of a hand that the hand index stores. Sets of seats are bit masks: bit s is seat s. */
export interface IndexedHand {
  /** All chips bet in the hand, without a returned uncalled bet. */
  readonly pot: number;
  /** The last street that was dealt. */
  readonly street: Street;
  /** At least two players did not fold. */
  readonly showdown: boolean;
  /** A player bet the last of its chips. */
  readonly allIn: boolean;
  /** Seats that won chips from a pot and did not lose in the hand. */
  readonly winners: number;
  /** Seats with a fault. Every fault folds, so a seat has at most one in a hand. */
  readonly faults: number;
}

export interface HandFacts extends IndexedHand {
  /** Seats that were dealt in. */
  readonly dealtIn: number;
  /** Seats that did not fold. */
  readonly live: number;
  /** Seats that lost their last chips in this hand. */
  readonly out: number;
}

/** Computes the facts of a verified hand from its record and the stacks before it, by seat, without a re-deal. */
export function handFacts(record: HandRecord, startStacks: readonly number[]): HandFacts {
  const bets = startStacks.map(() => 0);
  const dealtIn = maskOf(startStacks, (chips) => chips > 0);
  let live = dealtIn;
  let faults = 0;
  for (const { seat, amount, kind, fault } of record.actions) {
    bets[seat] = (bets[seat] ?? 0) + amount;
    if (kind === Action.FOLD) live &= ~(1 << seat);
    if (fault !== undefined) faults |= 1 << seat;
  }
  const [highest = 0, second = 0] = bets.toSorted((a, b) => b - a);
  const uncalled = highest - second;
  const showdown = (live & (live - 1)) !== 0;
  return {
    pot: bets.reduce((sum, bet) => sum + bet, 0) - uncalled,
    // Before a showdown every street is dealt, without betting if necessary.
    street: showdown ? 3 : (record.actions.at(-1)?.street ?? 0),
    showdown,
    allIn: (maskOf(bets, (bet, seat) => bet === startStacks[seat]) & dealtIn) !== 0,
    winners: maskOf(record.deltas, (delta, seat) => {
      const bet = bets[seat] ?? 0;
      return delta >= 0 && delta + bet - (bet === highest ? uncalled : 0) > 0;
    }),
    faults,
    dealtIn,
    live,
    out: dealtIn & maskOf(record.deltas, (delta, seat) => (startStacks[seat] ?? 0) + delta === 0),
  };
}

function maskOf(values: readonly number[], includes: (value: number, seat: number) => boolean): number {
  return values.reduce((mask, value, seat) => (includes(value, seat) ? mask | (1 << seat) : mask), 0);
}

export interface HandFilter {
  readonly sort: 'number' | 'pot' | 'net';
  readonly descending: boolean;
  /** The seat whose net and faults the filter uses; null: none. */
  readonly seat: number | null;
  readonly net: 'win' | 'loss' | '';
  readonly allIn: boolean;
  readonly showdown: boolean;
  readonly faults: boolean;
  readonly minPot: number;
  readonly street: Street | null;
}

/**
 * Returns the numbers of the hands that pass a filter, sorted; equal ones by number. `cumulative` has the seat's result after each hand.
 * With a seat, `faults` selects the hands in which this seat failed, otherwise those in which any seat failed.
 */
export function searchHands(
  hands: readonly IndexedHand[],
  cumulative: readonly number[] | undefined,
  filter: HandFilter,
): number[] {
  const netOf = (number: number) => (cumulative === undefined ? 0 : netAfter(cumulative, number));
  const faulty = filter.seat === null ? 63 : 1 << filter.seat;
  const found: number[] = [];
  for (const [index, hand] of hands.entries()) {
    if (filter.allIn && !hand.allIn) continue;
    if (filter.showdown && !hand.showdown) continue;
    if (filter.faults && (hand.faults & faulty) === 0) continue;
    if (hand.pot < filter.minPot) continue;
    if (filter.street !== null && hand.street !== filter.street) continue;
    if (filter.net === 'win' && netOf(index + 1) <= 0) continue;
    if (filter.net === 'loss' && netOf(index + 1) >= 0) continue;
    found.push(index + 1);
  }
  const sign = filter.descending ? -1 : 1;
  if (filter.sort === 'number') return filter.descending ? found.reverse() : found;
  const keyOf = filter.sort === 'pot' ? (number: number) => hands[number - 1]?.pot ?? 0 : netOf;
  return found.sort((a, b) => sign * (keyOf(a) - keyOf(b)) || a - b);
}

/** Returns the net of hand `number` from a cumulative series. */
export function netAfter(cumulative: readonly number[], number: number): number {
  return (cumulative[number - 1] ?? 0) - (cumulative[number - 2] ?? 0);
}
