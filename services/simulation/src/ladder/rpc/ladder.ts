import { isHouseUser } from '@husky/contracts/house-user';
import type { Ladder } from '@husky/contracts/types/simulation/v1/Ladder';
import type { LadderEntry } from '@husky/contracts/types/simulation/v1/LadderEntry';
import type { LadderPart } from '@husky/contracts/types/simulation/v1/LadderPart';
import type { LadderPlayer } from '@husky/contracts/types/simulation/v1/LadderPlayer';
import type { ListLadderSetsResponse } from '@husky/contracts/types/simulation/v1/ListLadderSetsResponse';
import type { LadderRating } from '@husky/estimate/ladder-ratings';
import { METHODOLOGY_VERSION } from '@husky/estimate/standings';
import { isUuid } from '@husky/runtime/process/uuid';
import { pageOf } from '@husky/runtime/rpc/page';
import { mayReadTextOf } from '../../access.ts';
import type { Context, SimulationHandlers } from '../../context.ts';
import { tableSize } from '../../domain/job.ts';
import { isLadderOn, readSettings } from '../../event/store/settings.ts';
import type { Standing } from '../standing.ts';
import { movements, playingTables, pointsOf, setsOf } from '../store/reading.ts';
import { setsAfter } from '../store/sets.ts';
import { optedOut, setOptOut, versionsOf } from '../store/versions.ts';

const shownTables = 12;

export function getLadder(context: Context): SimulationHandlers['getLadder'] {
  return async (request): Promise<Ladder> => {
    const { skip, take } = pageOf(request, { most: 1000, normal: 20 });
    const [standing, settings, tables] = await Promise.all([
      context.ladder.read(),
      readSettings(context.pool),
      playingTables(context.pool, shownTables),
    ]);
    const listed = context.ladder.list(standing);
    return {
      entries: await presentEntries(context, standing, listed.slice(skip, skip + take)),
      total: listed.length,
      computedAt: standing.computedAt?.toISOString() ?? '',
      on: isLadderOn(context, settings),
      playing: tables.map(({ startedAt, userIds, ...rest }) => ({
        ...rest,
        startedAt: startedAt.toISOString(),
        userIds: [...userIds],
      })),
      hands: settings.ladderHands * tableSize,
      methodologyVersion: METHODOLOGY_VERSION,
    };
  };
}

async function presentEntries(
  context: Context,
  { versions }: Standing,
  ratings: readonly LadderRating[],
): Promise<LadderEntry[]> {
  const byId = new Map(versions.map((version) => [version.id, version]));
  const moved = await movements(
    context.pool,
    ratings.map(({ player }) => player),
    context.now(),
  );
  return ratings.flatMap(({ player, rank, best, worst, rating, low, high, hands, sets }) => {
    const version = byId.get(player);
    if (!version) return [];
    const { before, recent } = moved.get(player) ?? { before: null, recent: [] };
    return {
      rank,
      bestRank: best,
      worstRank: worst,
      userId: version.userId,
      version: version.number,
      rating,
      low,
      high,
      hands,
      sets,
      house: version.house,
      paused: version.pausedAt !== null,
      ...(before === null ? {} : { dayChange: rating - before }),
      recent: [...recent],
    };
  });
}

/** Returns the rating and the history of one player. An unknown user has none. */
export function getLadderPlayer(context: Context): SimulationHandlers['getLadderPlayer'] {
  return async ({ userId }, { caller }): Promise<LadderPlayer> => {
    if (!isUuid(userId)) return { versions: [], sets: [] };
    const [standing, versions, sets] = await Promise.all([
      context.ladder.read(),
      versionsOf(context.pool, userId),
      setsOf(context.pool, userId),
    ]);
    const current = standing.versions.find((version) => version.userId === userId);
    const listed = context.ladder.list(standing).filter(({ player }) => player === current?.id);
    const [entry] = await presentEntries(context, standing, listed);
    const points = await pointsOf(
      context.pool,
      versions.map(({ id }) => id),
    );
    const ownMatches = mayReadTextOf(caller, userId) && !isHouseUser(userId);
    return {
      entry: entry ?? null,
      versions: versions.map(({ id, number, createdAt }) => {
        const own = points.get(id) ?? [];
        return {
          version: number,
          since: createdAt.toISOString(),
          sets: own.at(-1)?.sets ?? 0,
          points: own.map(({ time, rating, low, high, sets }) => ({
            time: time.toISOString(),
            rating,
            low,
            high,
            sets,
          })),
        };
      }),
      sets: sets.map(({ id, endedAt, value, hands, opponentIds, jobIds, ...rest }) => ({
        ...rest,
        setId: id,
        endedAt: endedAt.toISOString(),
        hands,
        value: hands === 0 ? 0 : (100 * value) / hands,
        opponentIds: [...opponentIds],
        jobIds: ownMatches ? [...jobIds] : [],
      })),
    };
  };
}

/** Lists the sets that count after a number, in order, for those who compute the ratings themselves. */
export function listLadderSets(context: Context): SimulationHandlers['listLadderSets'] {
  return async ({ after, limit }): Promise<ListLadderSetsResponse> => {
    const sets = await setsAfter(context.pool, after, pageOf({ pageSize: limit }).take);
    return {
      sets: sets.map(({ number, endedAt, hands, seats }) => ({
        number,
        endedAt: endedAt.toISOString(),
        hands,
        seats: seats.map(({ userId, version, before, value }) => ({
          userId,
          version,
          predecessor: before ?? 0,
          value,
        })),
      })),
    };
  };
}

export function getLadderPart(context: Context): SimulationHandlers['getLadderPart'] {
  return (_, { caller }): Promise<LadderPart> => presentPart(context, caller.id);
}

export function setLadderPart(context: Context): SimulationHandlers['setLadderPart'] {
  return async ({ takesPart }, { caller }): Promise<LadderPart> => {
    await setOptOut(context.pool, caller.id, !takesPart, context.now());
    return presentPart(context, caller.id);
  };
}

async function presentPart(context: Context, userId: string): Promise<LadderPart> {
  const [out, versions] = await Promise.all([optedOut(context.pool), versionsOf(context.pool, userId)]);
  const paused = versions.find(({ active, pausedAt }) => active && pausedAt !== null);
  return {
    takesPart: !out.has(userId),
    pauseReason: paused?.pauseReason ?? '',
    pausedAt: paused?.pausedAt?.toISOString() ?? '',
  };
}
