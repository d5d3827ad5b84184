import { formatChips } from './chips.ts';
import { type Game, roundName } from './game.ts';
import { truncate } from './names.ts';
import type { Stage, TableState } from './table-state.ts';

const NAME_LENGTH = 20;

/** Formats an amount: dollars, or big blinds if the user prefers them. */
export type FormatAmount = (amount: number) => string;

/** Names of the made hands by seat; null or absent if they are unknown or not computed yet. */
export type HandNames = readonly (string | null | undefined)[];

const nameOf = (game: Game, seat: number): string => truncate(game.players[seat]?.name ?? '', NAME_LENGTH);

/** Joins a list: 'a', 'a and b', 'a, b and c'. */
function joinList(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Describes what a stage does: 'ann wins $300 from side pot 1 with two pair, queens and jacks'. */
export function describeStage(
  game: Game,
  stage: Stage,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string {
  if (stage.kind === 'deal') return `${roundName(stage.round)} is dealt`;
  if (stage.kind === 'return') return `Uncalled bet of ${format(stage.amount)} returns to ${nameOf(game, stage.seat)}`;
  const { name, shares } = stage.award;
  const pot = name === '' ? '' : ` from ${name === 'main pot' ? 'the main pot' : name}`;
  const parts = shares.map(({ seat, amount }) => {
    const hand = handNames[seat];
    return `${nameOf(game, seat)} wins ${format(amount)}${pot}${hand ? ` with ${hand.toLowerCase()}` : ''}`;
  });
  return joinList(parts);
}

/** Describes all payments up to a step, one sentence each. Hands are named at a showdown only. */
export function describePayments(
  game: Game,
  state: TableState,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string[] {
  const showdown = state.seats.filter((seat) => !seat.folded).length > 1;
  return state.paid.map((payment) => describeStage(game, payment, showdown ? handNames : [], format));
}

/** Returns the sentences that the table shows: the payment of this stage, or all payments if the hand is settled in one step. */
export function paymentsAt(game: Game, state: TableState, handNames: HandNames, format: FormatAmount): string[] {
  if (state.stage === null) return describePayments(game, state, handNames, format);
  return state.stage.kind === 'deal' ? [] : describePayments(game, state, handNames, format).slice(-1);
}

/** Describes what happens at a step: the action or the stage, and the payments if the hand is settled here. */
export function describeMove(
  game: Game,
  state: TableState,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string {
  if (state.stage !== null) return describeStage(game, state.stage, handNames, format);
  const { action } = state;
  const chips = action === null || action.chips === 0 ? '' : ` ${format(action.chips)}`;
  const move = action === null ? [] : [`${nameOf(game, action.seat)}: ${action.label}${chips}`];
  return [...move, ...describePayments(game, state, handNames, format)].join('. ');
}

/** Describes the step in one sentence for screen readers. */
export function describeStep(
  game: Game,
  state: TableState,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string {
  const move = describeMove(game, state, handNames, format);
  const pot = `${state.roundName}, total pot ${format(state.totalPot)}${state.over ? ', hand over' : ''}`;
  return move === '' ? pot : `${move}. ${pot}`;
}
