/** Action kinds, numbered as bots know them (PokerAction). */
export const Action = { FOLD: 1, CHECK: 2, CALL: 3, RAISE: 4, ALL_IN: 5 } as const;
export type ActionKind = (typeof Action)[keyof typeof Action];

/** Names of the action kinds in game data and messages. */
export const actionNames: Readonly<Record<ActionKind, string>> = {
  [Action.FOLD]: 'FOLD',
  [Action.CHECK]: 'CHECK',
  [Action.CALL]: 'CALL',
  [Action.RAISE]: 'RAISE',
  [Action.ALL_IN]: 'ALL IN',
};

/** Streets 0..3: preflop, flop, turn, river. */
export type Street = 0 | 1 | 2 | 3;

/** One entry of a hand's log. `amount` is the chips added; `adjusted`: the bot's action was changed to this one. */
export interface AppliedAction {
  readonly street: Street;
  readonly seat: number;
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
}

/** The actor's legal actions; all amounts are chips to add. minRaise and maxRaise are 0 where betting is not reopened. */
export interface Options {
  readonly toCall: number;
  readonly canCheck: boolean;
  readonly minRaise: number;
  readonly maxRaise: number;
}

/** A betting round that has closed. `bets` are the chips put in on that street, by seat. */
export interface ClosedStreet {
  readonly street: Street;
  readonly bets: readonly number[];
  readonly currentBet: number;
}
