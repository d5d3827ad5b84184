import type { Card } from './card.ts';

/** Action kinds, numbered as bots know them (PokerAction). */
export const Action = { FOLD: 1, CHECK: 2, CALL: 3, RAISE: 4, ALL_IN: 5 } as const;
export type ActionKind = (typeof Action)[keyof typeof Action];

/** Streets 0..3: preflop, flop, turn, river. */
export type Street = 0 | 1 | 2 | 3;

/** One entry of a hand's log. `amount` is the chips added; `adjusted` says that the bot asked for something else. */
export interface AppliedAction {
  readonly street: Street;
  readonly seat: number;
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
}

/** What the actor may do; all amounts are chips to add. min and max are 0 where betting is not reopened. */
export interface Options {
  readonly toCall: number;
  readonly canCheck: boolean;
  readonly minRaise: number;
  readonly maxRaise: number;
}

/** What a hand is dealt from. Stacks by seat, 0 = not dealt in. Seat s holds deck[2s] and deck[2s + 1], the board is deck[12..16]. */
export interface HandSetup {
  readonly stacks: readonly number[];
  readonly button: number;
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly deck: ArrayLike<Card>;
}

export const MAX_SEATS = 6;
/** Index of the first board card in the deck, the same whoever is left in the match. */
export const BOARD_START = 12;
