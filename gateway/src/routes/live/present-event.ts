import type { HandPlayed__Output } from '@husky/contracts/types/live/v1/HandPlayed';
import type { MatchEvent__Output } from '@husky/contracts/types/live/v1/MatchEvent';
import type { Names } from '../../names.ts';
import type { Watchers } from '../../watchers.ts';

/** Encodes one server-sent event. */
export function frame(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Encodes an event of a match, or returns '' for an unknown kind. */
export async function presentEvent(
  event: MatchEvent__Output,
  jobId: string,
  context: { readonly names: Names; readonly watchers: Watchers },
): Promise<string> {
  if (event.handPlayed) {
    const nameOf = await context.names.of(event.handPlayed.playerIds);
    return presentHand(event.handPlayed, `${event.attempt}:${event.hand}`, nameOf);
  }
  if (event.progress) {
    const { handsDone, numRounds, handsPerSecond, secondsLeft, status, startingStack, stacks } = event.progress;
    return frame('progress', {
      hands_done: handsDone,
      num_rounds: numRounds,
      hands_per_second: handsPerSecond,
      seconds_left: secondsLeft,
      status,
      starting_stack: startingStack,
      stacks: stacks || 'carry',
      watchers: context.watchers.count(jobId),
    });
  }
  if (event.reset) return frame('reset', { attempt: event.attempt }, `${event.attempt}:0`);
  if (event.ended) {
    const { status, handsPlayed, reason } = event.ended;
    return frame('end', { status, hands_played: handsPlayed, reason: reason || null });
  }
  return '';
}

/** Encodes a hand. */
export function presentHand(hand: HandPlayed__Output, id: string, nameOf: (userId: string) => string): string {
  const { gameId, playerIds, deltas, cumulative, playedAt, pot, allIn, showdown, outIds } = hand;
  const byName = (values: readonly number[]) =>
    Object.fromEntries(playerIds.map((playerId, seat) => [nameOf(playerId), values[seat] ?? 0]));
  const data = {
    game_id: gameId,
    game_uuid: id.slice(id.indexOf(':') + 1),
    deltas: byName(deltas),
    cumulative: byName(cumulative),
    played_at: playedAt,
    pot,
    all_in: allIn,
    showdown,
    out: outIds.map(nameOf),
  };
  return frame('hand', data, id);
}
