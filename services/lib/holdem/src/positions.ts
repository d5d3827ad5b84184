/** The seats of a hand's positions. Under rules 2 the first two may be seats without chips. */
export interface Positions {
  /** Without chips: a dead button. Heads-up it is the small blind's seat. */
  readonly button: number;
  /** Without chips: a dead small blind, which nobody posts. */
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
}

/** What the next positions depend on, besides the stacks. */
export interface LastBlinds {
  /** The seat that posted the big blind in the last hand; null before hand 1. */
  readonly bigBlindSeat: number | null;
  /** The seat of the last hand's small blind, posted or dead, which gets the button next. Null before hand 1, and always under rules 1. */
  readonly nextButton: number | null;
}

function nextSolvent(stacks: readonly number[], from: number, step: 1 | -1): number {
  const seats = stacks.length;
  let seat = from;
  do seat = (seat + step + seats) % seats;
  while (!((stacks[seat] ?? 0) > 0) && seat !== from);
  return seat;
}

/**
 * Computes the positions of the next hand. The big blind moves to the next seat with chips. Rules 2: small blind and button follow to
 * where big and small blind were, with chips or not (TDA 2019, rule 32, "Dead Button"). Heads-up, and under rules 1 always, they are the
 * seats with chips before the big blind; heads-up the button is the small blind (TDA 2019, rule 34). Hand 1 has its small blind at the
 * first seat with chips.
 */
export function positionsAfter(stacks: readonly number[], { bigBlindSeat: last, nextButton }: LastBlinds): Positions {
  const first = nextSolvent(stacks, stacks.length - 1, 1);
  const bigBlindSeat = nextSolvent(stacks, last ?? first, 1);
  const smallBlindSeat = nextSolvent(stacks, bigBlindSeat, -1);
  const before = nextSolvent(stacks, smallBlindSeat, -1);
  if (before === bigBlindSeat) return { button: smallBlindSeat, smallBlindSeat, bigBlindSeat };
  if (last === null || nextButton === null) return { button: before, smallBlindSeat, bigBlindSeat };
  return { button: nextButton, smallBlindSeat: last, bigBlindSeat };
}

/** Returns what the positions of the hand after this one depend on. */
export function blindsAfter(rulesVersion: number, hand: Omit<Positions, 'button'>): LastBlinds {
  return { bigBlindSeat: hand.bigBlindSeat, nextButton: rulesVersion === 1 ? null : hand.smallBlindSeat };
}
