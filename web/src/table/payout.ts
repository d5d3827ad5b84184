import { layerPots } from '@husky/holdem/pots';
import type { Game } from './game.ts';

/** Chips of one pot and the seats that win them. `name` is 'main pot' or 'side pot 1'; '' if the hand has one pot. */
export type Award = { name: string; shares: { seat: number; amount: number }[] };

/** How the chips of a finished hand are distributed. Awards are in the order in which they are pushed: side pots first. */
export type Payout = {
  /** The part of the largest bet that nobody called; null if there is none. */
  returned: { seat: number; amount: number } | null;
  awards: Award[];
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function uncalledBet(totals: readonly number[], live: readonly boolean[]): Payout['returned'] {
  const [largest = 0, second = 0] = totals.toSorted((a, b) => b - a);
  const seat = totals.indexOf(largest);
  return largest > second && live[seat] === true ? { seat, amount: largest - second } : null;
}

function clockwise(seats: readonly number[], button: number | null): number[] {
  const after = (seat: number) => (seat > (button ?? -1) ? 0 : 1);
  return seats.toSorted((a, b) => after(a) - after(b) || a - b);
}

/** Splits a pot into whole chips; odd chips go one by one clockwise from the button (TDA rule 20). */
function split(amount: number, winners: readonly number[], button: number | null): Award['shares'] {
  const share = Math.floor(amount / winners.length);
  const odd = amount - share * winners.length;
  return clockwise(winners, button).map((seat, place) => ({ seat, amount: share + (place < odd ? 1 : 0) }));
}

/**
 * Attributes winnings to pots, or returns null if no attribution matches them. From the last side pot to the main pot: a seat
 * with winnings left that can win a pot does win it, because its hand beats or equals all others of that pot. The rest of the
 * winnings is from the main pot.
 */
function attribute(pots: ReturnType<typeof layerPots>, won: readonly number[], button: number | null): Award[] | null {
  const left = [...won];
  const awards: Award[] = [];
  for (let index = pots.length - 1; index > 0; index -= 1) {
    const pot = pots[index];
    const winners = pot?.eligible.filter((seat) => (left[seat] ?? 0) > 0) ?? [];
    if (pot === undefined || winners.length === 0) return null;
    const shares = split(pot.amount, winners, button);
    for (const { seat, amount } of shares) left[seat] = (left[seat] ?? 0) - amount;
    awards.push({ name: `side pot ${index}`, shares });
  }
  const main = left.flatMap((amount, seat) => (amount === 0 ? [] : [{ seat, amount }]));
  const valid = main.length > 0 && main.every(({ seat, amount }) => amount > 0 && pots[0]?.eligible.includes(seat));
  return valid ? [...awards, { name: pots.length > 1 ? 'main pot' : '', shares: main }] : null;
}

/**
 * Computes the payout from the chips that each seat put in (`totals`), the seats that have not folded (`live`) and the chips that
 * each seat received in the log (`received`, an uncalled bet included). If the log does not match its pots, as in files of other
 * engines, the received chips are one award without a pot.
 */
export function payoutOf(
  totals: readonly number[],
  live: readonly boolean[],
  received: readonly number[],
  button: Game['buttonSeat'],
): Payout {
  const returned = uncalledBet(totals, live);
  const withoutReturned = (chips: readonly number[]) =>
    chips.map((amount, seat) => (seat === returned?.seat ? amount - returned.amount : amount));
  const won = withoutReturned(received);
  const pots = layerPots(withoutReturned(totals), live);
  const complete = sum(pots.map((pot) => pot.amount)) === sum(won) && won.every((amount) => amount >= 0);
  const awards = complete && sum(won) > 0 ? attribute(pots, won, button) : null;
  if (awards !== null) return { returned, awards };
  const shares = received.flatMap((amount, seat) => (amount > 0 ? [{ seat, amount }] : []));
  return { returned: null, awards: shares.length > 0 ? [{ name: '', shares }] : [] };
}
