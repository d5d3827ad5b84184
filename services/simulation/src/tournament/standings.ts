import { rankStage } from '@husky/match/tournament-ranking';
import type { Context } from '../context.ts';
import { standingsOf } from '../store/batches.ts';
import type { StageResult } from './store/stages.ts';
import type { StoredStage, Tournament } from './store/tournaments.ts';

interface Adjusted {
  readonly adjusted: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the results of a stage without luck, by player, and whether they are those of all its matches. */
async function adjustedOf(
  context: Context,
  { batchId, spec }: StoredStage,
): Promise<{ ready: boolean; of: Map<string, Adjusted> }> {
  const { players, computing } = await context.liveData.getStandings({ batchId, playersOnly: true });
  const estimator = spec.mode === 'duplicate' ? 'duplicate_adjusted' : 'adjusted';
  const of = new Map<string, Adjusted>();
  for (const { userId, estimates } of players) {
    const estimate = estimates[estimator];
    if (estimate) of.set(userId, { adjusted: estimate.chips, low: estimate.low, high: estimate.high });
  }
  return { ready: !computing, of };
}

/**
 * Returns the present standing of a stage that is being played. `ready`: with results without luck of all its matches. Without live-data these are
 * unknown.
 */
export async function standingOfStage(
  context: Context,
  stage: StoredStage,
  {
    players,
    before,
    drawBy,
  }: { players: readonly string[]; before: ReadonlyMap<number, readonly StageResult[]>; drawBy: string },
): Promise<{ ready: boolean; results: StageResult[] }> {
  const [sums, adjusted] = await Promise.all([
    standingsOf(context.pool, stage.batchId),
    adjustedOf(context, stage).catch(() => ({ ready: false, of: new Map<string, Adjusted>() })),
  ]);
  const sumOf = new Map(sums.map((sum) => [sum.userId, sum]));
  const points = players.map((userId) => ({ userId, delta: sumOf.get(userId)?.delta ?? 0 }));
  const earlier = [...before].filter(([number]) => number < stage.number).sort(([a], [b]) => a - b);
  const placed = rankStage(points, {
    advance: stage.spec.advance,
    before: earlier.map(([, results]) => new Map(results.map(({ userId, delta }) => [userId, delta]))),
    drawBy,
  });
  const unknown = { adjusted: null, low: null, high: null };
  const results = placed.map((one) => ({
    ...one,
    matches: sumOf.get(one.userId)?.matches ?? 0,
    ...(adjusted.of.get(one.userId) ?? unknown),
  }));
  return { ready: adjusted.ready, results };
}

/** Returns who plays a stage: the entrants, or those who have gone on. */
export const playersOfStage = (
  { number }: StoredStage,
  entrants: readonly string[],
  results: ReadonlyMap<number, readonly StageResult[]>,
): string[] =>
  number === 1
    ? [...entrants]
    : (results.get(number - 1) ?? []).filter(({ advances }) => advances).map(({ userId }) => userId);

/** Whether the results of a stage are hidden until they are revealed. A cancelled tournament reveals nothing: what was played is public. */
export const isHidden = (
  { state, ceremony, revealed, stages }: Pick<Tournament, 'state' | 'ceremony' | 'revealed' | 'stages'>,
  { number }: StoredStage,
  players: number,
): boolean => state !== 'cancelled' && ceremony && number === stages.length && revealed < players;
