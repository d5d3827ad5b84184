import { readModels } from '@husky/contracts/batch-metadata';
import { type NestedEstimate, nestedEstimate } from '@husky/estimate/nested';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import type { StandingsBody } from './standings-schema.ts';

type Player = StandingsBody['players'][number];
type Estimate = NonNullable<Player['estimates']['raw']>;
type Model = StandingsBody['models'][number];

export const estimators = ['raw', 'adjusted', 'duplicate', 'duplicate_adjusted'] as const;

export function byEstimator<Value>(read: (estimator: (typeof estimators)[number]) => Value) {
  return {
    raw: read('raw'),
    adjusted: read('adjusted'),
    duplicate: read('duplicate'),
    duplicate_adjusted: read('duplicate_adjusted'),
  };
}

/** Returns the metadata of a batch; empty if the caller may not read it, for example of a private batch with a public match. */
export async function metadataOf(batchId: string, context: Context, caller: Caller): Promise<string> {
  try {
    return (await context.simulation.getBatchMetadata({ batchId }, { caller })).metadataJson;
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'PERMISSION_DENIED' || error.code === 'NOT_FOUND')) return '';
    throw error;
  }
}

/**
 * Groups players by the models that the metadata of batches names, in the order of their best players. A player for whom batches name
 * different models is in none.
 */
export function modelsOf(players: readonly Player[], metadata: readonly string[]): Model[] {
  const groups = new Map<string, { name: string; version: string | null; players: Player[] }>();
  const modelsOfBatches = metadata.map(readModels);
  for (const player of players) {
    const named = modelsOfBatches
      .map((modelOf) => modelOf(player.username))
      .filter(({ model_name }) => model_name !== null);
    const keys = new Set(named.map((one) => JSON.stringify([one.model_name, one.model_version])));
    const [key = ''] = keys;
    if (keys.size !== 1) continue;
    const [name = '', version = null] = JSON.parse(key) as [string, string | null];
    const group = groups.get(key) ?? { name, version, players: [] };
    groups.set(key, { ...group, players: [...group.players, player] });
  }
  return [...groups.values()].map(({ name, version, players: bots }) => {
    return {
      name,
      version,
      usernames: bots.map(({ username }) => username),
      estimates: byEstimator((one) => nested(bots.flatMap(({ estimates }) => estimates[one] ?? []))),
    };
  });
}

function nested(bots: readonly Estimate[]): Model['estimates']['raw'] {
  if (bots.length === 0) return null;
  const inChips = bots.map((one) => ({ mean: one.chips_per_100, standardError: one.standard_error }));
  // The error in big blinds is to that in chips as their intervals.
  const inBlinds = bots.map(({ bb_per_100, bb_low, bb_high, low, high, standard_error }) => ({
    mean: bb_per_100,
    standardError: high > low ? (standard_error * (bb_high - bb_low)) / (high - low) : 0,
  }));
  return { chips: present(nestedEstimate(inChips)), bb: present(nestedEstimate(inBlinds)) };
}

const present = ({ mean, overBots, overHands, betweenBots }: NestedEstimate) => ({
  mean,
  bots_low: overBots?.low ?? null,
  bots_high: overBots?.high ?? null,
  hands_low: overHands.low,
  hands_high: overHands.high,
  between_bots: betweenBots,
});
