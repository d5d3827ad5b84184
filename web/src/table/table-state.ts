import {
  type Action,
  boardCards,
  type CardCode,
  type Game,
  movesChips,
  type Pot,
  type Round,
  roundName,
} from './game.ts';
import type { Award } from './payout.ts';

export type ReplayMode = 'action' | 'round';

export type SeatState = {
  /** Stack, including the chips received so far. */
  stack: number;
  /** Chips bet on this street. */
  streetBet: number;
  folded: boolean;
  allIn: boolean;
  /** Chips won from pots so far, without a returned bet; 0 before the first pot is pushed. */
  winnings: number;
  /** Uncalled chips that were returned. */
  returned: number;
  /** Whether the seat has winnings and ends the hand with more chips than it started with. A side pot alone may be less than its bets. */
  won: boolean;
};

/** A step after the last action: a street of the run-out, the return of an uncalled bet, or one pot that is pushed. */
export type Stage = { kind: 'deal'; round: number } | Payment;
export type Payment = { kind: 'return'; seat: number; amount: number } | { kind: 'award'; award: Award };

/**
 * State of the table at one step. In action mode step n is after action n; a hand that was all-in before the river, or that has
 * side pots, continues with one step per stage. Every other hand is settled at its last action.
 */
export type TableState = {
  mode: ReplayMode;
  /** Index of the step from 0, and the number of steps (0 for a hand without actions). */
  step: number;
  steps: number;
  /** Number of actions or rounds in the log, which labels count; `steps` minus the stages. */
  entries: number;
  round: number;
  roundName: string;
  board: CardCode[];
  seats: SeatState[];
  roundPot: number;
  totalPot: number;
  pots: Pot[];
  /** The last applied action; null in results mode, at a stage and in a hand without actions. */
  action: Action | null;
  /** The stage of this step; null up to the last action. */
  stage: Stage | null;
  /** Returned bet and awards so far, in order. */
  paid: Payment[];
  /** True at the last step: all chips are paid. */
  over: boolean;
};

/** Returns a seat before its first action. */
export function newSeat(stack: number): SeatState {
  return { stack, streetBet: 0, folded: false, allIn: false, winnings: 0, returned: 0, won: false };
}

/** Returns the state before the first action. */
export function initialState(game: Game, mode: ReplayMode): TableState {
  const first = game.rounds[0]?.index ?? 0;
  return {
    mode,
    step: 0,
    steps: 0,
    entries: 0,
    round: first,
    roundName: roundName(first),
    board: [],
    seats: game.players.map((player) => newSeat(player.startChips)),
    roundPot: 0,
    totalPot: 0,
    pots: [],
    action: null,
    stage: null,
    paid: [],
    over: false,
  };
}

/** Opens a street: resets the street's bets and sets the board of that street. */
export function enterRound(state: TableState, index: number, game: Game): TableState {
  const board = game.board.slice(0, boardCards(index));
  if (index === state.round) return { ...state, board };
  const seats = state.seats.map((seat) => ({ ...seat, streetBet: 0 }));
  return { ...state, round: index, roundName: roundName(index), board, seats, roundPot: 0 };
}

/** Applies one action: moves chips from the seat's stack to its bet and marks folds and all-ins. */
export function applyAction(state: TableState, action: Action): TableState {
  const seats = state.seats.map((seat, position) => {
    if (position !== action.seat) return seat;
    const stack = seat.stack - action.chips;
    const spent = movesChips(action.kind) && action.chips > 0 && stack === 0;
    return {
      ...seat,
      stack,
      streetBet: seat.streetBet + action.chips,
      folded: seat.folded || action.kind === 'FOLD',
      allIn: seat.allIn || action.kind === 'ALL IN' || spent,
    };
  });
  return { ...state, seats, roundPot: action.roundPot, totalPot: action.totalPot, pots: action.pots, action };
}

/** Applies a whole street: stacks from its bets; folds, all-ins and pots from its actions. */
export function applyRound(state: TableState, round: Round): TableState {
  const acted = round.actions.reduce(applyAction, state);
  const last = round.actions.at(-1);
  const seats = acted.seats.map((seat, position) => {
    const bet = round.bets[position] ?? 0;
    const stack = (state.seats[position]?.stack ?? 0) - bet;
    return { ...seat, stack, streetBet: bet, allIn: seat.allIn || (bet > 0 && stack === 0) };
  });
  const totalPot = last?.totalPot ?? state.totalPot + round.pot;
  return { ...acted, seats, roundPot: round.pot, totalPot, action: null };
}
