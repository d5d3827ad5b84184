import type { Highlight } from '@husky/contracts/types/live/v1/Highlight';
import type { ListHighlightsResponse } from '@husky/contracts/types/live/v1/ListHighlightsResponse';
import type { ListPlayerHandsResponse } from '@husky/contracts/types/live/v1/ListPlayerHandsResponse';
import type { PlayerHand } from '@husky/contracts/types/live/v1/PlayerHand';
import { STREETS } from '@husky/match/game-data';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { readsSealed } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { netAfter } from '../domain/hand-index.ts';
import type { Highlight as StoredHighlight } from '../domain/highlights.ts';
import type { Match } from '../domain/match.ts';
import { loadMatch } from '../load-match.ts';
import { type MatchHands, readHands, readHighlights } from '../read-hands.ts';
import { bestOfTheDay, matchesWithExtremes } from '../store/hand-indexes.ts';
import { findMatch } from '../store/matches.ts';
import { summaryOf } from './hand-index.ts';

/** Lists the highlights of a finished match; an empty list for any other match. */
export function listHighlights(context: Context): LiveDataHandlers['listHighlights'] {
  return async (request, call): Promise<ListHighlightsResponse> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const stored = await readHighlights(context.db, match);
    if (stored.length === 0) return { highlights: [] };
    const played = await readHands(context.db, match);
    return { highlights: stored.map((highlight) => present(match, played, highlight)) };
  };
}

/** Returns the best highlight of the day, or of a batch. It is not cached, so that a match made private disappears immediately. */
export function getHandOfTheDay(context: Context): LiveDataHandlers['getHandOfTheDay'] {
  return async ({ batchId }): Promise<Highlight> => {
    if (batchId !== '' && !isLowerCaseUuid(batchId)) throw noHand();
    const best = await bestOfTheDay(context.db, context.now(), batchId || undefined);
    const match = best && (await findMatch(context.db, best.jobId));
    // The match may have been deleted or made private since.
    if (best === null || !match?.isPublic) throw noHand();
    return present(match, await readHands(context.db, match), best.highlight);
  };
}

function noHand(): DomainError {
  return new DomainError('NOT_FOUND', 'no-hand-of-the-day', 'No public match has a hand to show yet.');
}

function present(match: Match, played: MatchHands, highlight: StoredHighlight): Highlight {
  const { hand, swing, seat, street, before, after, playedAtMs } = highlight;
  return {
    jobId: match.jobId,
    hand: summaryOf(match, played, hand),
    playerIds: [...match.playerIds],
    swing,
    seat,
    before,
    after,
    street: street === 0 ? '' : (STREETS[street as 1 | 2 | 3] ?? ''),
    playedAt: new Date(playedAtMs).toISOString(),
  };
}

const maxHands = 50;
const dayMs = 24 * 60 * 60 * 1000;

/** Lists a player's largest wins or losses over all indexed matches. */
export function listPlayerHands(context: Context): LiveDataHandlers['listPlayerHands'] {
  return async (request, { caller }): Promise<ListPlayerHandsResponse> => {
    const { playerId, worst, limit, publicOnly, ladder } = request;
    if (limit < 1 || limit > maxHands) {
      throw new DomainError('INVALID_ARGUMENT', 'bad-limit', `A limit is 1 to ${maxHands}.`);
    }
    if (!isLowerCaseUuid(playerId)) return { hands: [] };
    const ladderSince = ladder ? new Date(context.now() - dayMs) : null;
    const filter = { worst, limit, publicOnly, sealed: readsSealed(caller), ladderSince };
    // The `limit` best hands are in the `limit` matches with the best hands.
    const found: { net: number; hand: PlayerHand }[] = [];
    for (const jobId of await matchesWithExtremes(context.db, playerId, filter)) {
      const match = await findMatch(context.db, jobId);
      if (match === null || (publicOnly && !match.isPublic)) continue;
      const played = await readHands(context.db, match);
      for (const { number, net } of extremesOf(match, played, playerId, worst, limit)) {
        found.push({ net, hand: presentPlayerHand(match, played, number, playerId) });
      }
    }
    found.sort((a, b) => (worst ? a.net - b.net : b.net - a.net));
    return { hands: found.slice(0, limit).map(({ hand }) => hand) };
  };
}

function extremesOf(match: Match, { hands, series }: MatchHands, playerId: string, worst: boolean, limit: number) {
  const cumulative = series[match.playerIds.indexOf(playerId)] ?? [];
  const sign = worst ? -1 : 1;
  return hands
    .map((_, index) => ({ number: index + 1, net: netAfter(cumulative, index + 1) }))
    .filter(({ net }) => sign * net > 0)
    .sort((a, b) => sign * (b.net - a.net) || a.number - b.number)
    .slice(0, limit);
}

function presentPlayerHand(match: Match, played: MatchHands, number: number, playerId: string): PlayerHand {
  return {
    jobId: match.jobId,
    hand: summaryOf(match, played, number),
    playerIds: [...match.playerIds],
    seat: match.playerIds.indexOf(playerId),
    matchStartedAt: match.firstHandAt?.toISOString() ?? '',
    isPublic: match.isPublic,
  };
}
