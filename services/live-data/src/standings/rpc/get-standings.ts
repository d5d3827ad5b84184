import type { GetStandingsRequest__Output } from '@husky/contracts/types/live/v1/GetStandingsRequest';
import type { MatchLuck } from '@husky/contracts/types/live/v1/MatchLuck';
import type { PlayerStanding } from '@husky/contracts/types/live/v1/PlayerStanding';
import type { Standings as PresentedStandings } from '@husky/contracts/types/live/v1/Standings';
import type { Interval } from '@husky/estimate/intervals';
import { notesOn } from '@husky/estimate/notes';
import type { Pairs } from '@husky/estimate/pairs';
import {
  type Estimate,
  estimators,
  METHODOLOGY_VERSION,
  type PlayerStandings,
  type Standings,
} from '@husky/estimate/standings';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { readsPrivateResults } from '../../access.ts';
import type { Context, LiveDataHandlers } from '../../context.ts';
import { batchNotFound, matchNotFinished } from '../../domain/refusals.ts';
import { findFinished, loadMatch } from '../../load-match.ts';
import { readHands } from '../../read-hands.ts';
import { publicBatches } from '../../store/batch-visibility.ts';
import type { Scope } from '../domain/packed-standings.ts';
import { loadMatchValues } from '../store/match-values.ts';

const unknown = -1;

/**
 * Returns the standings of a scope, computed in the background and cached. While they are computed, returns the last result, if all its
 * matches may still be read, otherwise none. A private batch is unknown to everybody but admins (NOT_FOUND).
 */
export function getStandings(context: Context): LiveDataHandlers['getStandings'] {
  return async (request, call): Promise<PresentedStandings> => {
    const scope = await scopeOf(context, request, readsPrivateResults(call.caller));
    const { result, computing, done, of } = await context.standings.read(scope);
    const progress = { done, of, methodologyVersion: METHODOLOGY_VERSION };
    if (result === null) return { ...progress, computing: true };
    const { standings, computedAt } = result;
    const withoutLuck = standings.adjustedMatches < standings.matches;
    return {
      ...(computing ? progress : { ...progress, done: standings.adjustedMatches, of: standings.matches }),
      computing: computing || withoutLuck,
      computedAt: new Date(computedAt).toISOString(),
      ...present(standings),
      ...(request.playersOnly ? { better: [], handsNeeded: [], headsUp: [] } : {}),
    };
  };
}

async function scopeOf(
  context: Context,
  { batchId, of }: GetStandingsRequest__Output,
  asAdmin: boolean,
): Promise<Scope> {
  if (batchId !== '') {
    const known = isLowerCaseUuid(batchId) && (asAdmin || (await publicBatches(context.db.pool, [batchId])).length > 0);
    if (!known) throw batchNotFound();
    return { publicOnly: !asAdmin, batchId, selection: null };
  }
  if (of === null) return { publicOnly: true, batchId: null, selection: null };
  const ids = [...of.jobIds, ...of.batchIds];
  if (!ids.every(isLowerCaseUuid))
    throw new DomainError('INVALID_ARGUMENT', 'bad-ids', 'Name jobs and batches by their ids.');
  const selection = { jobIds: [...of.jobIds].sort(), batchIds: [...of.batchIds].sort() };
  return { publicOnly: true, batchId: null, selection };
}

function present(standings: Standings) {
  const { mode, matches, hands, deals, players, pairs, headsUp, ratingCheck } = standings;
  return {
    mode,
    matches,
    hands,
    deals,
    players: players.map(presentPlayer),
    pairsEstimator: pairs.estimator,
    better: flatten(pairs.better),
    handsNeeded: flatten(pairs.handsNeeded),
    notes: notesOn(standings),
    headsUp: headsUp.map(({ players: [one, two], hands: met, mean, interval: around }) => ({
      userId: one,
      opponentId: two,
      hands: met,
      chips: mean,
      interval: around,
    })),
    ratingCheck,
  };
}

function flatten(rows: Pairs['better']): number[] {
  return rows.flatMap((row) => row.map((value) => value ?? unknown));
}

function presentPlayer({
  player,
  hands,
  matches,
  deals,
  estimates,
  groups,
  ranks,
  rating,
}: PlayerStandings): PlayerStanding {
  const known = estimators.filter((estimator) => estimates[estimator] !== null);
  return {
    userId: player,
    hands,
    matches,
    deals,
    estimates: Object.fromEntries(known.map((estimator) => [estimator, presentEstimate(estimates[estimator])])),
    groups: Object.fromEntries(known.map((estimator) => [estimator, groups[estimator] ?? 0])),
    ranks: Object.fromEntries(known.map((estimator) => [estimator, ranks[estimator] ?? {}])),
    rating,
  };
}

function presentEstimate(estimate: Estimate | null) {
  if (estimate === null) return {};
  const { chips, bigBlinds, hands } = estimate;
  return {
    ...interval(chips),
    bigBlinds: bigBlinds.mean,
    bigBlindsLow: bigBlinds.low,
    bigBlindsHigh: bigBlinds.high,
    hands,
  };
}

function interval({ mean, low, high, standardError }: Interval) {
  return { chips: mean, low, high, standardError };
}

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
