import type { Tournament, TournamentSummary } from '../../lib/types.ts';

type Standing = Tournament['stages'][number]['standings'][number];

/** A place that the audience sees. `share`: size of the result, of the largest one that is shown. */
export interface Revealed extends Pick<Standing, 'rank' | 'username' | 'delta'> {
  readonly share: number;
}

/** Places that fit on the screen. */
const maxShown = 8;
/** For so long after its end a ceremony is waited for. */
const waitMs = 24 * 3_600_000;

/** Returns the tournament whose places may have to be revealed: the one with a ceremony that ended last, within a day. */
export function ceremonyOf(tournaments: readonly TournamentSummary[], nowMs: number) {
  return tournaments
    .filter(({ state, ceremony }) => state === 'finished' && ceremony)
    .filter(({ ended_at: ended }) => nowMs - Date.parse(ended ?? '') < waitMs)
    .sort((a, b) => Date.parse(b.ended_at ?? '') - Date.parse(a.ended_at ?? ''))[0];
}

/** Returns the revealed places, the best and newest first. */
export function revealedPlaces(standings: readonly Standing[]): Revealed[] {
  const shown = standings.slice(0, maxShown);
  const largest = Math.max(1, ...shown.map(({ delta }) => Math.abs(delta)));
  return shown.map(({ rank, username, delta }) => ({ rank, username, delta, share: Math.abs(delta) / largest }));
}
