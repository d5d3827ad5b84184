import type { TableSetup } from '@husky/holdem/table';
import type { ChunkContent } from './chunk.ts';
import type { PlayedHand } from './game-json.ts';
import { playedHandOf } from './played-hand.ts';
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
  for (const { hand, record } of redeal(seed, table, content))
    yield playedHandOf(hand, record, table.stacks, setup.startingStack, mayReadText);
}
