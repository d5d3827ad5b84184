import type { Street } from '@husky/holdem/action';
import type { IndexedHand } from './hand-facts.ts';

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
