import type { TableSetup } from '@husky/holdem/table';
import type { ChunkContent } from './chunk.ts';
import { describeFault } from './fault.ts';
import type { PlayedHand, Verdict } from './game-json.ts';
import type { RecordedAction } from './record.ts';
import { redeal, tableAt } from './replay.ts';

/**
 * Re-deals the hands of a chunk in order and yields the facts of each that game data needs. `mayReadText`: by seat, whether the reader
 * gets the texts of the bot or only the kind of fault. Throws RecordMismatch for a record that does not follow from the seed and the
 * rules.
 */
export function* playedHands(
  seed: Uint8Array,
  setup: TableSetup,
  content: ChunkContent,
  mayReadText: (seat: number) => boolean,
): Generator<PlayedHand> {
  const table = tableAt(content, setup);
  const { startingStack } = setup;
  for (const { hand, record } of redeal(seed, table, content)) {
    yield {
      startedAtMs: record.startedAtMs,
      startingStack,
      startStacks: hand.startStacks,
      matchDeltas: table.stacks.map((chips) => chips - startingStack),
      deltas: record.deltas,
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
}

function verdictsOf(actions: readonly RecordedAction[], mayReadText: (seat: number) => boolean): Verdict[] {
  const counts = new Map<number, number>();
  return actions.flatMap((action) => {
    const { street: round, seat, fault, adjusted, detail } = action;
    const index = counts.get(round) ?? 0;
    counts.set(round, index + 1);
    if (fault === undefined && !adjusted) return [];
    const what = fault === undefined ? 'the action was changed to the nearest legal one' : describeFault(fault);
    // The note of an adjusted action is the dealer's; the note of a fault may contain the bot's text.
    const shown = detail !== undefined && (fault === undefined || mayReadText(seat));
    return [{ round, index, seat, code: fault ?? 'adjusted', text: shown ? `${what}: ${detail}` : what }];
  });
}
