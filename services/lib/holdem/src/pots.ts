/** A main or side pot, and the seats that can win it, in seat order. */
export interface Pot {
  readonly amount: number;
  readonly eligible: readonly number[];
}

/**
 * Splits the chips put in by each seat into main and side pots, the main pot first: one pot for each distinct bet of a seat that has
 * not folded. Chips of folded seats stay in the pots they reach. Requires that no folded seat has put in more than every live seat; no
 * sequence of legal actions leads there. Returns no pot when no live seat has put in chips.
 */
export function layerPots(contributions: readonly number[], live: readonly boolean[]): Pot[] {
  const pots: { amount: number; eligible: number[] }[] = [];
  let floor = 0;
  for (;;) {
    let ceiling = Number.POSITIVE_INFINITY;
    for (let seat = 0; seat < contributions.length; seat++) {
      const chips = contributions[seat] as number;
      if (live[seat] === true && chips > floor && chips < ceiling) ceiling = chips;
    }
    if (ceiling === Number.POSITIVE_INFINITY) break;
    let amount = 0;
    const eligible: number[] = [];
    for (let seat = 0; seat < contributions.length; seat++) {
      const chips = contributions[seat] as number;
      amount += Math.max(0, Math.min(chips, ceiling) - floor);
      if (live[seat] === true && chips >= ceiling) eligible.push(seat);
    }
    pots.push({ amount, eligible });
    floor = ceiling;
  }
  return pots;
}
