import { randomInt, randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import { chooseTable } from '@husky/estimate/ladder-table';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError, type ErrorCode } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { type JobPlan, seatPlan, tableSize } from '../../domain/job.ts';
import { refuseDeleted } from '../../event/store/quotas.ts';
import { isLadderOn, readSettings, refuseWhenFrozen } from '../../event/store/settings.ts';
import { verifiedNamesOf } from '../../names.ts';
import { withPins } from '../../pins.ts';
import { insertJobs, newJobId, planRotations } from '../../store/insert-jobs.ts';
import { closeIntent } from '../../store/pin-intents.ts';
import { type LadderStanding, ladderBlinds } from '../standing.ts';
import { hasRoom, insertSet } from '../store/sets.ts';
import {
  activeVersions,
  lockLadder,
  optedOut,
  type Participant,
  storeParticipants,
  type Version,
} from '../store/versions.ts';

const participantsMs = 5000;
/** Refusals because something has changed since a table was chosen: a final submission, an account, or what another replica has planned. */
const changes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FAILED_PRECONDITION', 'UNAUTHENTICATED']);

/** Plans sets of the ladder while runners are free. Safe on every replica: each set is planned under the lock of the ladder. */
export function createSetFormer(context: Context): () => Promise<boolean> {
  let names: ReadonlyMap<string, string> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const settings = await readSettings(context.pool);
    if (!isLadderOn(context, settings)) return false;
    if (Math.abs(context.now() - readAt) >= participantsMs) {
      names = await readParticipants(context);
      readAt = context.now();
    }
    const room = { hands: settings.ladderHands * tableSize, handsADay: settings.ladderHandsADay, now: context.now() };
    if (settings.frozen || names.size === 0 || !(await hasRoom(context.pool, room))) return false;
    const standing = await context.ladder.read();
    const table = tableOf(standing);
    if (table.length < tableSize) return false;
    try {
      await planSet(context, table, { names, numRounds: settings.ladderHands, room });
    } catch (error) {
      if (!(error instanceof DomainError) || !changes.has(error.code)) throw error;
      readAt = Number.NEGATIVE_INFINITY;
      return false;
    }
    context.relay.kick();
    context.worker.kick();
    return true;
  };
}

/** Stores who takes part: verified users with a final submission who have not opted out, and house bots while there are fewer than six. Returns the names of all. */
async function readParticipants(context: Context): Promise<ReadonlyMap<string, string>> {
  const [{ finals, house }, out] = await Promise.all([context.submission.listFinals({}), optedOut(context.pool)]);
  const ids = [...finals.filter(({ userId }) => !out.has(userId)), ...house].map(({ userId }) => userId);
  const names = await verifiedNamesOf(context, ids);
  const bots: Participant[] = finals.filter(({ userId }) => names.has(userId) && !out.has(userId));
  const paused = new Set((await activeVersions(context.pool)).flatMap((one) => (one.pausedAt ? one.userId : [])));
  const playing = bots.filter(({ userId }) => !paused.has(userId)).length;
  const fill = playing > 0 && playing < tableSize ? house : [];
  await storeParticipants(context.pool, [...bots, ...fill], context.now());
  return bots.length === 0 ? new Map() : names;
}

function tableOf({ versions, ratings }: Awaited<ReturnType<LadderStanding['read']>>): Version[] {
  const rated = new Map(ratings.map((rating) => [rating.player, rating]));
  const candidates = versions
    .filter(({ pausedAt }) => pausedAt === null)
    .map(({ id, userId, house, sets, lastSetAt }) => {
      const { rating = 0, high = Number.MAX_VALUE } = rated.get(id) ?? {};
      const owner = house ? null : userId;
      return { player: id, owner, sets, lastSetAt: lastSetAt?.getTime() ?? null, rating, half: high - rating };
    });
  const table = chooseTable(candidates, () => randomInt(2 ** 48 - 1) / 2 ** 48, tableSize);
  const byId = new Map(versions.map((version) => [version.id, version]));
  return table.flatMap((id) => byId.get(id) ?? []);
}

interface SetPlan {
  readonly names: ReadonlyMap<string, string>;
  readonly numRounds: number;
  readonly room: Parameters<typeof hasRoom>[1];
}

/** Pins the bots of a table and inserts the six matches of its deal set. Throws FAILED_PRECONDITION if anything has changed since it was chosen. */
async function planSet(
  context: Context,
  table: readonly Version[],
  { names, numRounds, room }: SetPlan,
): Promise<void> {
  const id = randomUUID();
  const changed = (what: string) => new DomainError('FAILED_PRECONDITION', 'ladder-changed', what);
  await withPins(context, id, async () => {
    const finals = table.filter(({ house }) => !house).map(({ userId }) => userId);
    const { pins } = await context.submission.pinFinals({ holderId: id, userIds: finals });
    for (const { userId } of table.filter(({ house }) => house)) {
      pins.push(await context.submission.pinHouse({ holderId: id, userId }));
    }
    const seats = table.map(({ userId, botHash }) => {
      const pin = pins.find((one) => one.userId === userId && one.botHash === botHash);
      if (!pin) throw changed('A final submission has changed.');
      return seatPlan(pin);
    });
    const match: JobPlan = {
      id: newJobId(),
      kind: 'LADDER',
      ownerId: houseUserId,
      batchId: null,
      gameNumber: null,
      holderId: id,
      numRounds,
      blinds: ladderBlinds,
      stacks: 'reset',
      dealSetId: id,
      rotation: null,
      limits: context.settings.limits,
      seats,
    };
    await inTransaction(context.pool, async (client) => {
      for (const userId of finals) await refuseDeleted(client, userId);
      await refuseWhenFrozen(client, 'untilCommit');
      await lockLadder(client);
      if (!(await hasRoom(client, room))) throw changed('There is no room for another set.');
      await insertSet(client, { id, numRounds, versionIds: table.map((version) => version.id) }, context.now());
      const planning = { names, beacon: context.settings.beacon?.chain ?? null };
      await insertJobs(client, planRotations(match), { now: context.now(), planning });
      await closeIntent(client, id);
    });
  });
}
