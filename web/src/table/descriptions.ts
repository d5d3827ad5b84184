import { formatChips } from './chips.ts';
import { type Game, roundName } from './game.ts';
import { truncate } from './names.ts';
import type { Award } from './payout.ts';
import { isShowdown, type Move, type Stage, type TableState } from './table-state.ts';

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

// The seat is marked as SB or BB beside it.
const CHIPS = { 'small-blind': 'POSTS', 'big-blind': 'POSTS', call: 'CALL', bet: 'BET', raise: 'RAISE TO' } as const;

/** Returns the text of a move on its seat: 'CALL $20', 'RAISE TO $60', 'ALL-IN $100', 'FOLDED'. */
export function moveChip({ kind, chips, bet, allIn, label }: Move, format: FormatAmount): string {
  if (allIn) return `ALL-IN ${format(bet)}`;
  if (kind === 'fold') return 'FOLDED';
  if (kind === 'check') return 'CHECK';
  if (kind === 'unknown') return label;
  return `${CHIPS[kind]} ${format(chips)}`;
}

const VERBS = { check: 'checks', fold: 'folds', call: 'calls', bet: 'bets', raise: 'raises to' } as const;

/** Describes a move: 'raises to $60', 'calls $45 and is all-in'. */
export function describeMove({ kind, chips, allIn, label }: Move, format: FormatAmount): string {
  if (kind === 'unknown') return label.toLowerCase();
  const verb = kind === 'small-blind' || kind === 'big-blind' ? `posts ${kind.replace('-', ' ')}` : VERBS[kind];
  return `${verb}${chips > 0 ? ` ${format(chips)}` : ''}${allIn ? ' and is all-in' : ''}`;
}

function describeAward(game: Game, { name, shares }: Award, hands: HandNames, format: FormatAmount): string {
  const pot = name === 'main pot' ? 'the main pot' : name;
  const amounts = shares.map(({ amount }) => amount);
  const withHand = (seat: number | undefined) => {
    const hand = hands[seat ?? -1];
    return hand ? ` with ${hand.toLowerCase()}` : '';
  };
  // Shares of a split pot differ by odd chips at most; other engines' logs may have several pots in one award.
  const sameHand = new Set(shares.map(({ seat }) => hands[seat])).size === 1;
  if (shares.length > 1 && sameHand && Math.max(...amounts) - Math.min(...amounts) <= 1) {
    const total = format(amounts.reduce((sum, amount) => sum + amount, 0));
    const what = pot === '' ? total : `${total} from ${pot}`;
    return `${joinList(shares.map(({ seat }) => nameOf(game, seat)))} split ${what}${withHand(shares[0]?.seat)}`;
  }
  const from = pot === '' ? '' : ` from ${pot}`;
  return joinList(
    shares.map(({ seat, amount }) => `${nameOf(game, seat)} wins ${format(amount)}${from}${withHand(seat)}`),
  );
}

/**
 * Describes what a stage does: '$380 returned to ann', 'ann wins $300 from side pot 1 with two pair, queens and jacks'. Hands are named
 * at a showdown only. The amount is what the seat gets from the pot, without a returned bet.
 */
export function describeStage(
  game: Game,
  state: TableState,
  stage: Stage,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string {
  if (stage.kind === 'deal') return `The ${roundName(stage.round).toLowerCase()} is dealt`;
  if (stage.kind === 'return') return `${format(stage.amount)} returned to ${nameOf(game, stage.seat)}`;
  return describeAward(game, stage.award, isShowdown(state) ? handNames : [], format);
}

/** Describes all payments up to a step, one sentence each. */
export function describePayments(
  game: Game,
  state: TableState,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string[] {
  return state.paid.map((payment) => describeStage(game, state, payment, handNames, format));
}

/** Describes the step in words: the action or the stage, and the payments if the hand is settled here. */
export function describeStep(
  game: Game,
  state: TableState,
  handNames: HandNames = [],
  format: FormatAmount = formatChips,
): string {
  if (state.stage !== null) return `${describeStage(game, state, state.stage, handNames, format)}.`;
  const { action } = state;
  const move = action === null ? null : (state.seats[action.seat]?.move ?? null);
  const sentences =
    action !== null && move !== null
      ? [`${nameOf(game, action.seat)} ${describeMove(move, format)}${action.adjusted ? ' (adjusted)' : ''}`]
      : [state.steps === 0 ? 'Nobody acted in this hand' : `${state.roundName} betting is over`];
  return `${[...sentences, ...describePayments(game, state, handNames, format)].join('. ')}.`;
}
