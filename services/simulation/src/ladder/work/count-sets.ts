import { quietChannelMs } from '@husky/contracts/channel';
import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import type { Context } from '../../context.ts';
import { tableSize } from '../../domain/job.ts';
import { jobState } from '../../domain/job-state.ts';
import { readSettings } from '../../event/store/settings.ts';
import { luckOf } from '../../match-luck.ts';
import { rotationsOf } from '../../store/jobs.ts';
import type { StoredJob } from '../../store/stored-job.ts';
import { isBad, pauseReason } from '../domain/bad-matches.ts';
import { countSet, endedSets, expireMatches, type SeatResult, voidSet } from '../store/sets.ts';

const setsAtOnce = 50;
const dayMs = 24 * 3_600_000;
const matchesToExpire = 200;
/** Between two matches of the ladder on the channel. */
const pauseMs = 10 * 60_000;

/** Counts the sets of which all matches have ended, and rates their bots. A set waits until the results of its matches are known without luck. */
export async function countSets(context: Context): Promise<boolean> {
  let counted = 0;
  let newest: StoredJob | undefined;
  for (const { id, createdAt } of await endedSets(context.pool, setsAtOnce)) {
    const jobs = await rotationsOf(context.pool, id);
    const played = jobs.filter(({ state }) => state === jobState.finished);
    const values = played.length === tableSize ? await valuesOf(context, played) : null;
    const isLost = played.length < tableSize || context.now() - createdAt.getTime() > dayMs;
    if (values !== null) {
      const hands = played.reduce((sum, { handsPlayed }) => sum + handsPlayed, 0);
      await countSet(context.pool, id, { hands, seats: seatResults(played, values) }, context.now());
      context.relay.kick();
      counted += 1;
      [newest] = played;
    } else if (isLost) {
      await voidSet(context.pool, id, context.now());
    }
  }
  if (counted > 0) await context.ladder.read();
  if (newest) await broadcast(context, newest);
  return counted === setsAtOnce;
}

/** Publishes a match of a set for the channel, unless others are public or one of the ladder was published in the last minutes. */
async function broadcast({ liveData, log, now }: Context, { id: jobId }: StoredJob): Promise<void> {
  const newest = async (ladder: boolean) => {
    const { matches } = await liveData.listMatches({ publicOnly: true, page: 1, pageSize: 1, ladder });
    return Date.parse(matches[0]?.firstGameCreatedAt ?? '');
  };
  try {
    const recent = [[false, quietChannelMs] as const, [true, pauseMs] as const].map(
      async ([ladder, ms]) => (await newest(ladder)) > now() - ms,
    );
    if ((await Promise.all(recent)).includes(true)) return;
    await liveData.toggleVisibility({ jobId, public: true });
  } catch (error) {
    log.warn({ err: error }, 'no match of the ladder was published');
  }
}

/** Returns each user's chips without luck, summed over the matches; null while they are not known. No contest counts 0. */
async function valuesOf(context: Context, jobs: readonly StoredJob[]): Promise<ReadonlyMap<string, number> | null> {
  const sums = new Map<string, number>();
  for (const { id, noContest, seats } of jobs) {
    if (noContest) {
      for (const { userId } of seats) sums.set(userId, sums.get(userId) ?? 0);
      continue;
    }
    const luck = await luckOf(context, id);
    if (luck === null) return null;
    for (const { userId, adjusted } of luck.players) sums.set(userId, (sums.get(userId) ?? 0) + (adjusted.at(-1) ?? 0));
  }
  // Values have two decimals.
  return new Map([...sums].map(([userId, sum]) => [userId, Math.round(sum * 100) / 100]));
}

function seatResults(jobs: readonly StoredJob[], values: ReadonlyMap<string, number>): SeatResult[] {
  return [...values].map(([userId, value]) => {
    const faults = jobs.map(
      ({ seats }) => (seats.find((seat) => seat.userId === userId)?.faults ?? null) as SeatFaults__Output | null,
    );
    return { userId, value, badMatches: faults.filter(isBad).length, reason: pauseReason(faults) };
  });
}

/** Deletes matches of the ladder and of trials that the event's settings do not keep any longer, in steps. Results and ratings stay. */
export async function expireLadder(context: Context): Promise<boolean> {
  const { keepLadderDays } = await readSettings(context.pool);
  if (keepLadderDays === 0) return false;
  const before = context.now() - keepLadderDays * dayMs;
  return (await expireMatches(context.pool, before, matchesToExpire)) === matchesToExpire;
}
