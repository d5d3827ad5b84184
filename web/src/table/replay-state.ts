import type { Game, Verdict } from './game.ts';
import { closingStates } from './stages.ts';
import { applyAction, applyRound, enterRound, initialState, type ReplayMode, type TableState } from './table-state.ts';

export type HandResult = { seat: number; name: string; change: number };

function buildStates(game: Game, mode: ReplayMode): TableState[] {
  const start = initialState(game, mode);
  const states: TableState[] = [];
  for (const round of game.rounds) {
    if (mode === 'round') {
      states.push(applyRound(enterRound(states.at(-1) ?? start, round.index, game), round));
      continue;
    }
    for (const action of round.actions) {
      states.push(applyAction(enterRound(states.at(-1) ?? start, round.index, game), action));
    }
  }
  const entries = states.length;
  const last = { ...(states.at(-1) ?? start), entries };
  const all = [...states.slice(0, -1), ...closingStates(last, game)];
  return all.map((state, step) => ({ ...state, step, entries, steps: entries === 0 ? 0 : all.length }));
}

const computed = new WeakMap<Game, Map<ReplayMode, TableState[]>>();

/** Returns the states of all steps, at least one: a hand without actions has one settled state. Computed once per hand and mode. */
export function statesOf(game: Game, mode: ReplayMode): readonly TableState[] {
  const known = computed.get(game) ?? new Map<ReplayMode, TableState[]>();
  computed.set(game, known);
  const states = known.get(mode) ?? buildStates(game, mode);
  known.set(mode, states);
  return states;
}

/** Returns the state at a step, which is clamped to the existing steps. */
export function stateAt(game: Game, mode: ReplayMode, step: number): TableState {
  const states = statesOf(game, mode);
  const at = Number.isNaN(step) ? 0 : Math.max(0, Math.min(Math.trunc(step), states.length - 1));
  return states[at] as TableState;
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

/** Returns the first step of each street that the hand reaches, run-out included. */
export function streetSteps(game: Game, mode: ReplayMode): { round: number; step: number }[] {
  const found = new Map<number, number>();
  for (const state of statesOf(game, mode)) if (!found.has(state.round)) found.set(state.round, state.step);
  return [...found].map(([round, step]) => ({ round, step }));
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
