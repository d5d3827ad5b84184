/** A pot (or a layer of it) and the seats that can win it, in seat order. */
export interface Pot {
  readonly amount: number;
  readonly eligible: readonly number[];
}

/**
 * Splits chips put in by seat into main and side pots: one layer per distinct bet of a seat still in, layers with the same
 * eligible seats merged. Chips of seats that folded stay in the layers they reach.
 */
export function layerPots(contributions: readonly number[], live: readonly boolean[]): Pot[] {
  const pots: { amount: number; eligible: number[] }[] = [];
  let floor = 0;
  for (;;) {
    let ceiling = 0;
    for (const [seat, chips] of contributions.entries()) {
      if (live[seat] === true && chips > floor && (ceiling === 0 || chips < ceiling)) ceiling = chips;
    }
    if (ceiling === 0) break;
    let amount = 0;
    const eligible: number[] = [];
    for (const [seat, chips] of contributions.entries()) {
      if (chips > floor) amount += Math.min(chips, ceiling) - floor;
      if (live[seat] === true && chips >= ceiling) eligible.push(seat);
    }
    pots.push({ amount, eligible });
    floor = ceiling;
  }
  const last = pots.at(-1);
  if (last !== undefined) {
    // Only while a short big blind is faced can a folded seat have put in more than every seat still in.
    for (const chips of contributions) if (chips > floor) last.amount += chips - floor;
  }
  return pots;
}

/**
 * Shares a pot among its winners. Odd chips go one by one clockwise from the button (TDA rule 20).
 * Adds into `winnings` by seat.
 */
export function sharePot(amount: number, winners: readonly number[], button: number, winnings: number[]): void {
  const share = Math.floor(amount / winners.length);
  let odd = amount - share * winners.length;
  const seats = winnings.length;
  for (let step = 1; step <= seats; step++) {
    const seat = (button + step) % seats;
    if (!winners.includes(seat)) continue;
    winnings[seat] = (winnings[seat] as number) + share + (odd > 0 ? 1 : 0);
    odd -= 1;
  }
}
