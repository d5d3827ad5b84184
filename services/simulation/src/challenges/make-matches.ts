import { randomUUID } from 'node:crypto';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import { type JobPlan, type SeatPlan, seatPlan, tableSize } from '../domain/job.ts';
import { refuseDeleted } from '../event/store/quotas.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { ladderBlinds } from '../ladder/standing.ts';
import { drawHousePlayers, pinFinals, pinFinalsLeft, withPins } from '../pins.ts';
import { auditWriter } from '../store/audit.ts';
import { insertJobs, newJobId, planRotations } from '../store/insert-jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { challengeOver } from './domain/challenge.ts';
import {
  choicesOf,
  endChallenge,
  insertPlayers,
  type LockedChallenge,
  readChallenge,
  storeMade,
} from './store/challenges.ts';

/** Refusals after which a challenge has ended, and what its players read; it names nobody. */
const ends: ReadonlyMap<string, string> = new Map([
  ['no-final-submission', 'A player has no final submission any more.'],
  ['user-deleted', 'A player has deleted their account.'],
  ['not-verified', 'A player is not verified any more.'],
]);

/** Makes the matches of a challenge that all have accepted, once. No effect on one that does not wait. Throws while the event is frozen. */
export async function makeMatches(context: Context, id: string): Promise<void> {
  const challenge = await readChallenge(context.pool, id);
  if (challenge.state !== 'waiting') return;
  try {
    await insertMatches(context, id, challenge);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.reason === 'challenge-over') return;
    const reason = ends.get(error.reason);
    if (reason === undefined) throw error;
    await endChallenge(context.pool, id, 'ended', reason, context.now());
  }
  context.relay.kick();
  context.worker.kick();
}

async function insertMatches(context: Context, challengeId: string, challenge: LockedChallenge): Promise<void> {
  const { format, numRounds, players } = challenge;
  const asked = players.map(({ userId }) => userId);
  const [ownerId = ''] = asked;
  const id = newJobId();
  const dealSetId = randomUUID();
  const holderId = format === 'set' ? dealSetId : id;
  await withPins(context, holderId, async () => {
    const seats = await pinFinals(context, holderId, asked);
    const fill = challenge.fill === 'neighbours' ? await pinNeighbours(context, holderId, asked) : [];
    seats.push(...fill, ...(await pinHouseBots(context, holderId, tableSize - seats.length - fill.length)));
    const known = await context.auth.getNames({ ids: seats.map(({ userId }) => userId) });
    if (known.names.some(({ id: userId, verified }) => asked.includes(userId) && !verified)) {
      throw new DomainError('FAILED_PRECONDITION', 'not-verified', 'A player is not verified any more.');
    }
    const names = new Map(known.names.map(({ id: userId, username }) => [userId, username]));
    const match: JobPlan = {
      id,
      kind: 'MATCH',
      ownerId,
      batchId: null,
      gameNumber: null,
      holderId,
      numRounds,
      blinds: ladderBlinds,
      stacks: format === 'set' ? 'reset' : 'carry',
      dealSetId,
      rotation: null,
      limits: context.settings.limits,
      seats,
    };
    const plans = format === 'set' ? planRotations(match) : [match];
    await inTransaction(context.pool, async (client) => {
      const { state } = await readChallenge(client, challengeId, 'untilCommit');
      if (state !== 'waiting') throw challengeOver('Its matches were made, or it has ended.');
      for (const { userId } of [...players, ...fill]) await refuseDeleted(client, userId);
      await refuseWhenFrozen(client, 'untilCommit');
      const planning = { names, beacon: context.settings.beacon?.chain ?? null };
      await insertJobs(client, plans, { now: context.now(), planning });
      const jobIds = plans.map((plan) => plan.id);
      await storeMade(client, challengeId, jobIds);
      const filled = fill.map(({ userId }) => ({ userId, role: 'fill' as const, answer: 'accepted' as const }));
      await insertPlayers(client, challengeId, filled, players.length);
      await closeIntent(client, holderId);
      const after = { user_ids: seats.map(({ userId }) => userId), job_ids: jobIds };
      const subject = { subjectKind: 'challenge', subjectId: challengeId, after };
      await auditWriter({ kind: 'service', name: 'simulation' }, { action: 'challenge.made', ...subject })(client);
    });
  });
}

/** Pins the bots nearest to the challenger's on the ladder whose authors accept all challenges, at most as many as seats remain. */
async function pinNeighbours(context: Context, holderId: string, asked: readonly string[]): Promise<SeatPlan[]> {
  const { versions, ratings } = await context.ladder.read();
  const byId = new Map(versions.map((version) => [version.id, version]));
  const ladder = ratings.flatMap(({ player }) => byId.get(player) ?? []);
  const own = ladder.findIndex(({ userId }) => userId === asked[0]);
  // A challenger without a place sits in the middle.
  const centre = own === -1 ? ladder.length / 2 : own;
  const choices = await choicesOf(
    context.pool,
    ladder.map(({ userId }) => userId),
  );
  const nearest = ladder
    .map(({ userId, house, pausedAt }, index) => ({
      userId,
      free: !house && pausedAt === null,
      away: Math.abs(index - centre),
    }))
    .filter(({ userId, free }) => free && !asked.includes(userId) && !choices.has(userId))
    .sort((a, b) => a.away - b.away)
    .slice(0, tableSize - asked.length)
    .map(({ userId }) => userId);
  return pinFinalsLeft(context, holderId, nearest);
}

const pinHouseBots = ({ submission }: Context, holderId: string, count: number): Promise<SeatPlan[]> =>
  Promise.all(drawHousePlayers(count).map(async (userId) => seatPlan(await submission.pinHouse({ holderId, userId }))));
