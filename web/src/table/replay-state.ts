import {
  type Action,
  boardCards,
  type CardCode,
  type Game,
  movesChips,
  type Pot,
  type Round,
  roundName,
  type Verdict,
} from './game.ts';

export type ReplayMode = 'action' | 'round';

export type SeatState = {
  /** Stack, including the winnings at the last step. */
  stack: number;
  /** Chips bet on this street. */
  streetBet: number;
  folded: boolean;
  allIn: boolean;
  /** Chips received from the pots, including a returned uncalled bet; 0 before the last step. */
  winnings: number;
};

/** State of the table at one step, after the action at the step's index. */
export type TableState = {
  mode: ReplayMode;
  /** Index of the step from 0, and the number of steps (0 for a hand without actions). */
  step: number;
  steps: number;
  round: number;
  roundName: string;
  board: CardCode[];
  seats: SeatState[];
  roundPot: number;
  totalPot: number;
  pots: Pot[];
  /** The last applied action; null in results mode and in a hand without actions. */
  action: Action | null;
  /** True at the last step: winnings are paid. */
  over: boolean;
};

export type HandResult = { seat: number; name: string; change: number };

/** Returns the state before the first action. */
export function initialState(game: Game, mode: ReplayMode): TableState {
  const steps =
    mode === 'round' ? game.rounds.length : game.rounds.reduce((sum, round) => sum + round.actions.length, 0);
  const first = game.rounds[0]?.index ?? 0;
  return {
    mode,
    step: 0,
    steps,
    round: first,
    roundName: roundName(first),
    board: [],
    seats: game.players.map((player) => ({
      stack: player.startChips,
      streetBet: 0,
      folded: false,
      allIn: false,
      winnings: 0,
    })),
    roundPot: 0,
    totalPot: 0,
    pots: [],
    action: null,
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

/**
 * Ends the hand: sets the stacks to the log's final chips; the difference is the winnings. If the log has no final chips, a
 * single remaining player gets the pot. Shows the whole board if more than one player is left.
 */
export function settle(state: TableState, game: Game): TableState {
  const left = state.seats.filter((seat) => !seat.folded).length;
  const spent = game.players.reduce(
    (sum, player, position) => sum + player.startChips - (state.seats[position]?.stack ?? 0),
    0,
  );
  const seats = state.seats.map((seat, position) => {
    const final = game.players[position]?.finalChips ?? null;
    const fallback = left === 1 && !seat.folded ? seat.stack + spent : seat.stack;
    const stack = final ?? fallback;
    return { ...seat, stack, winnings: stack - seat.stack };
  });
  return { ...state, seats, board: left > 1 ? game.board : state.board, over: true };
}

const clampStep = (step: number, steps: number): number => Math.max(0, Math.min(Math.trunc(step) || 0, steps - 1));

function stateAtAction(game: Game, step: number): TableState {
  const start = initialState(game, 'action');
  const at = clampStep(step, start.steps);
  const entries = game.rounds
    .flatMap((round) => round.actions.map((action) => ({ round: round.index, action })))
    .slice(0, at + 1);
  const state = entries.reduce(
    (table, entry) => applyAction(enterRound(table, entry.round, game), entry.action),
    start,
  );
  const reached = { ...state, step: Math.max(0, at) };
  return at >= start.steps - 1 ? settle(reached, game) : reached;
}

function stateAtRound(game: Game, step: number): TableState {
  const start = initialState(game, 'round');
  const at = clampStep(step, start.steps);
  const state = game.rounds
    .slice(0, at + 1)
    .reduce((table, round) => applyRound(enterRound(table, round.index, game), round), start);
  const reached = { ...state, step: Math.max(0, at) };
  return at >= start.steps - 1 ? settle(reached, game) : reached;
}

/** Returns the state at a step, which is clamped to the existing steps. A hand without actions has one settled state. */
export function stateAt(game: Game, mode: ReplayMode, step: number): TableState {
  return mode === 'action' ? stateAtAction(game, step) : stateAtRound(game, step);
}

/** Returns each player's final minus starting chips, in seat order. */
export function handResults(game: Game): HandResult[] {
  const end = stateAt(game, 'action', Number.MAX_SAFE_INTEGER);
  return game.players.map((player, seat) => ({
    seat,
    name: player.name,
    change: (end.seats[seat]?.stack ?? player.startChips) - player.startChips,
  }));
}

/** Returns the step of a round's first action; null for a round without actions. */
export function firstStepOfRound(game: Game, position: number): number | null {
  const before = game.rounds.slice(0, position).reduce((sum, round) => sum + round.actions.length, 0);
  return (game.rounds[position]?.actions.length ?? 0) > 0 ? before : null;
}

/** Returns the verdicts of the current step; in results mode those of the street. */
export function verdictsAt(game: Game, state: TableState): Verdict[] {
  const round = game.rounds.find((entry) => entry.index === state.round);
  const inline = (round?.actions ?? []).flatMap((action) => (action.verdict === null ? [] : [action.verdict]));
  // A verdict may occur in an action and in the top-level list; the list has more details.
  const listed = game.verdicts.filter((verdict) => verdict.round === state.round);
  const all = [...listed, ...inline.filter((verdict) => !listed.some((other) => other.action === verdict.action))];
  if (state.mode === 'round') return all;
  const index = state.action === null ? -1 : (round?.actions.indexOf(state.action) ?? -1);
  return all.filter(
    (verdict) => verdict.action === index || (verdict.action === null && verdict.seat === state.action?.seat),
  );
}
