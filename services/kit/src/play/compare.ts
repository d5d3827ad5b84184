import { actsOfGame, actsOfRecord, type PlayDifference, playDifference } from '@husky/match/play-difference';
import { openMatchFile } from '../match-file.ts';
import type { LikeMatch } from './like.ts';
import { botHash } from './match-files.ts';
import type { PlayedMatch } from './play-match.ts';
import type { PlayRequest } from './request.ts';

/** Whether a match that was played again is equal to its file: all hands, actions and results. */
export interface Repetition {
  readonly equal: boolean;
  /** Hands that are equal, before the difference. */
  readonly equal_hands: number;
  readonly difference: PlayDifference | null;
  /** Seats, from 0, whose given files are not those of the match. */
  readonly other_files: readonly number[];
  readonly rules_version: number;
}

/** Compares a match with the file that it repeats. Throws KitError for a file that is damaged or cut off. */
export async function compareWithFile(like: LikeMatch, match: PlayedMatch, request: PlayRequest): Promise<Repetition> {
  const { records, plan } = match;
  const file = await openMatchFile(like.path);
  let difference: PlayDifference | null = null;
  let equal = 0;
  for await (const { game, number } of file.hands()) {
    const record = records[number - 1];
    difference = playDifference(number, actsOfGame(game), record === undefined ? null : actsOfRecord(record));
    if (difference !== null) break;
    equal = number;
  }
  // The file of a match that was not over has its first hands.
  if (difference === null && file.end.complete === true && records.length > equal)
    difference = playDifference(equal + 1, null, []);
  const other_files = plan.order.flatMap((bot, seat) =>
    botHash(request.bots[bot]) === like.facts.roster[seat]?.botHash ? [] : [seat],
  );
  return {
    equal: difference === null,
    equal_hands: equal,
    difference,
    other_files,
    rules_version: like.facts.rulesVersion,
  };
}
