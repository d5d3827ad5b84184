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

/**
 * What a seat did last. `chips` are those added by a call or a blind, and the seat's bet on the street after a bet or a raise; `bet` is
 * that bet after any move. `label` is the name in the log.
 */
export type Move = {
  kind: 'small-blind' | 'big-blind' | 'check' | 'call' | 'bet' | 'raise' | 'fold' | 'unknown';
  chips: number;
  bet: number;
  allIn: boolean;
  label: string;
};

export type SeatState = {
  /** Stack, including the chips received so far. */
  stack: number;
  /** The last action on this street; a fold and an all-in stay until the end of the hand. */
  move: Move | null;
  /** Chips bet on this street. */
  streetBet: number;
  /** Whether the player was not dealt in: without chips, or without cards while others have some. */
  out: boolean;
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
  /** The street's pot, the hand's pot and its parts, without a returned bet. */
  roundPot: number;
  totalPot: number;
  pots: Pot[];
  /** Chips of the hand's pot that are not paid yet. */
  potLeft: number;
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
export function newSeat(stack: number, out = false): SeatState {
  return { stack, move: null, streetBet: 0, out, folded: false, allIn: false, winnings: 0, returned: 0, won: false };
}

/** Returns the state before the first action. */
export function initialState(game: Game, mode: ReplayMode): TableState {
  const first = game.rounds[0]?.index ?? 0;
  const someCards = game.players.some(({ cards }) => cards.length > 0);
  return {
    mode,
    step: 0,
    steps: 0,
    entries: 0,
    round: first,
    roundName: roundName(first),
    board: [],
    seats: game.players.map(({ startChips, cards }) =>
      newSeat(startChips, startChips === 0 || (cards.length === 0 && someCards)),
    ),
    roundPot: 0,
    totalPot: 0,
    pots: [],
    potLeft: 0,
    action: null,
    stage: null,
    paid: [],
    over: false,
  };
}

const lasts = ({ folded, allIn }: SeatState) => folded || allIn;

/** Returns whether a seat can still win the hand. */
export const isLive = ({ folded, out }: SeatState): boolean => !folded && !out;

/** Returns whether more than one player is left, so that hands are compared at the end. */
export function isShowdown(state: TableState): boolean {
  return state.seats.filter(isLive).length > 1;
}

/** Names an action by what it does to the street's highest bet. `seat` is the state after it. */
function moveOf({ kind, label, post, chips }: Action, seat: SeatState, highest: number): Move {
  const named = (name: Move['kind'], amount = 0): Move => ({
    kind: name,
    chips: amount,
    bet: seat.streetBet,
    allIn: seat.allIn && amount > 0,
    label,
  });
  if (post) return named(label.includes('small') ? 'small-blind' : 'big-blind', chips);
  if (kind === 'FOLD') return named('fold');
  // A call of nothing is a check.
  if (kind === 'CHECK' || (kind === 'CALL' && chips === 0)) return named('check');
  if (chips === 0) return kind === 'ALL IN' && seat.move !== null ? seat.move : named('unknown');
  if (kind === 'CALL' || seat.streetBet <= highest) return named('call', chips);
  return named(highest === 0 ? 'bet' : 'raise', seat.streetBet);
}

/** Opens a street: resets the street's bets and sets the board of that street. */
export function enterRound(state: TableState, index: number, game: Game): TableState {
  const board = game.board.slice(0, boardCards(index));
  if (index === state.round) return { ...state, board };
  const seats = state.seats.map((seat) => ({ ...seat, streetBet: 0, move: lasts(seat) ? seat.move : null }));
  return { ...state, round: index, roundName: roundName(index), board, seats, roundPot: 0 };
}

/** Applies one action: moves chips from the seat's stack to its bet and marks folds and all-ins. */
export function applyAction(state: TableState, action: Action): TableState {
  const highest = Math.max(...state.seats.map((seat) => seat.streetBet));
  const seats = state.seats.map((seat, position) => {
    if (position !== action.seat) return seat;
    const stack = seat.stack - action.chips;
    const spent = movesChips(action.kind) && action.chips > 0 && stack === 0;
    const after: SeatState = {
      ...seat,
      stack,
      streetBet: seat.streetBet + action.chips,
      out: false,
      folded: seat.folded || action.kind === 'FOLD',
      allIn: seat.allIn || action.kind === 'ALL IN' || spent,
    };
    return { ...after, move: moveOf(action, after, highest) };
  });
  const { roundPot, totalPot, pots } = action;
  return { ...state, seats, roundPot, totalPot, pots, potLeft: totalPot, action };
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
  return { ...acted, seats, roundPot: round.pot, totalPot, potLeft: totalPot, action: null };
}
