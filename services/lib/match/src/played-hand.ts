import type { Hand } from '@husky/holdem/hand';
import { describeFault } from './fault.ts';
import type { PlayedHand, Verdict } from './game-json.ts';
import type { HandRecord, RecordedAction } from './record.ts';

/** Text of an adjusted action's verdict; what the bot asked for may follow after a colon. */
export const adjustedText = 'the action was changed to the nearest legal one';

/** Returns the facts of a finished hand with its record. `stacks`: the starting stack plus all results, this hand included, by seat. */
export function playedHandOf(
  hand: Hand,
  record: Pick<HandRecord, 'startedAtMs' | 'actions'>,
  stacks: readonly number[],
  startingStack: number,
  mayReadText: (seat: number) => boolean,
): PlayedHand {
  return {
    startedAtMs: record.startedAtMs,
    startingStack,
    startStacks: hand.startStacks,
    matchDeltas: stacks.map((chips) => chips - startingStack),
    deltas: hand.deltas,
    dealtIn: hand.dealtIn,
    holeCards: hand.startStacks.map((_, seat) => hand.holeCards(seat)),
    board: hand.board,
    blinds: { small: hand.smallBlind, big: hand.bigBlind },
    button: hand.button,
    smallBlindSeat: hand.posts === 2 ? hand.smallBlindSeat : null,
    bigBlindSeat: hand.bigBlindSeat,
    actions: record.actions.map((action) => ({ ...action, atMs: action.ms })),
    verdicts: verdictsOf(record.actions, mayReadText),
  };
}

function verdictsOf(actions: readonly RecordedAction[], mayReadText: (seat: number) => boolean): Verdict[] {
  const counts = new Map<number, number>();
  return actions.flatMap((action) => {
    const { street: round, seat, fault, adjusted, detail } = action;
    const index = counts.get(round) ?? 0;
    counts.set(round, index + 1);
    if (fault === undefined && !adjusted) return [];
    const what = fault === undefined ? adjustedText : describeFault(fault);
    // The note of an adjusted action is the dealer's; the note of a fault may contain the bot's text.
    const shown = detail !== undefined && (fault === undefined || mayReadText(seat));
    return [{ round, index, seat, code: fault ?? 'adjusted', text: shown ? `${what}: ${detail}` : what }];
  });
}
