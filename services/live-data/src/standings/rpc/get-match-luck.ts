import type { MatchLuck } from '@husky/contracts/types/live/v1/MatchLuck';
import type { Context, LiveDataHandlers } from '../../context.ts';
import { matchNotFinished } from '../../domain/refusals.ts';
import { findFinished, loadMatch } from '../../load-match.ts';
import { readHands } from '../../read-hands.ts';
import { loadMatchValues } from '../load-match-values.ts';

/** Returns every player's cumulative net and adjusted net after each hand of a finished match; `ready` false while they are computed. */
export function getMatchLuck(context: Context): LiveDataHandlers['getMatchLuck'] {
  return async (request, call): Promise<MatchLuck> => {
    const found = await loadMatch(context, request.jobId);
    call.check(found);
    const match = await findFinished(context, found);
    if (match === null) throw matchNotFinished(found, 'The luck of its players is known then.');
    const values = await loadMatchValues(context, match.jobId);
    if (values === null) return { ready: false };
    const { series } = await readHands(context.db, match);
    const players = match.playerIds.map((userId, seat) => ({
      userId,
      raw: [...(series[seat] ?? [])],
      adjusted: [...(values.cumulative[seat] ?? [])],
    }));
    return { ready: true, version: values.version, players };
  };
}
