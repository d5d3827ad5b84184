import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import { championOf } from '@husky/match/tournament-ranking';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { encodeTables } from '../../domain/batch-plan.ts';
import { batchState } from '../../domain/batch-state.ts';
import { type SeatPlan, seatPlan } from '../../domain/job.ts';
import { planStopRule } from '../../domain/stop-rule.ts';
import { verifiedNamesOf } from '../../names.ts';
import { withPins } from '../../pins.ts';
import { type BatchAuditWriter, cancelBatch, pauseBatch, retryBatch } from '../../store/batch-changes.ts';
import { ChainBroken } from '../../store/chain-check.ts';
import { findPlanRecord } from '../../store/plans.ts';
import { maxEntrants, minEntrants, planStage } from '../domain/stage.ts';
import { finalsOf } from '../finals.ts';
import { isHidden, playersOfStage, standingOfStage } from '../standings.ts';
import { tell, unstartedOf } from '../store/news.ts';
import {
  advanceTournament,
  countRetry,
  entrantsOf,
  finishStage,
  freezeEntrants,
  giveUp,
  progressOfStage,
  releaseEntrants,
  resultsOf,
  type StageProgress,
  startStage,
  unsealStage,
} from '../store/stages.ts';
import { type StoredStage, scheduleTournament, type Tournament, takeDueTournament } from '../store/tournaments.ts';

const pollMs = 1000;
const refusedMs = 5000;
const maxRetries = 2;
const hourMs = 3_600_000;
/** Hours before the entry deadline at which final submissions are checked: time to mend them. */
const checkedHours = [24, 6, 1] as const;
/** How long results without luck are waited for at the end of a stage. */
const adjustingMs = 120_000;
const unaudited: BatchAuditWriter = () => async () => undefined;

/** Does one step of one tournament that is due. Returns whether the next step need not wait. Safe on every replica. */
export async function runTournaments(context: Context): Promise<boolean> {
  const taken = await takeDueTournament(context.pool, context.now());
  if (!taken) return false;
  try {
    const dueAt = await step(context, taken);
    await scheduleTournament(context.pool, taken, dueAt);
    context.relay.kick();
    return dueAt !== null && dueAt <= context.now();
  } catch (error) {
    await scheduleTournament(context.pool, taken, context.now() + refusedMs);
    if (error instanceof ChainBroken || error instanceof DomainError) {
      context.log.warn({ tournamentId: taken.id, err: error }, 'a step of a tournament failed, will be tried again');
      return false;
    }
    throw error;
  }
}

/** Returns when the next step is due; null: never. Each step may be repeated. */
async function step(context: Context, tournament: Tournament): Promise<number | null> {
  const now = context.now();
  const { state, entryDeadline, startsAt } = tournament;
  if (state === 'open') {
    if (now < entryDeadline.getTime()) return check(context, tournament);
    await freeze(context, tournament);
    return now;
  }
  if (state === 'frozen') {
    const start = startsAt?.getTime() ?? now;
    if (now >= start) await advanceTournament(context.pool, tournament, { from: 'frozen', to: 'running', now });
    return start;
  }
  if (state === 'running') return play(context, tournament);
  for (const { batchId, state: played } of tournament.stages) {
    if (played !== 'running') continue;
    const batch = await progressOfStage(context.pool, batchId);
    if (state === 'paused' && batch && !batch.paused && isOpen(batch)) await pause(context, batchId, 'paused');
    if (state === 'cancelled') {
      await cancelBatch(context.pool, batchId, 'The tournament was cancelled.', now, { writeAudit: unaudited });
    }
  }
  if (state !== 'paused') {
    await publishLast(context, tournament);
    await releaseEntrants(context.pool, tournament);
  }
  return null;
}

/** Publishes the matches of the last stage of a ceremony that is over. */
async function publishLast(context: Context, tournament: Tournament): Promise<void> {
  const stage = tournament.stages.at(-1);
  if (!tournament.ceremony || !stage || stage.state === 'pending') return;
  const players = (await resultsOf(context.pool, tournament.id)).get(stage.number)?.length ?? 0;
  if (isHidden(tournament, stage, players)) return;
  await context.liveData.setBatchVisibility({ batchId: stage.batchId, public: true });
  await unsealStage(context.pool, stage);
}

const pause = (context: Context, batchId: string, event: 'paused' | 'resumed') =>
  pauseBatch(context.pool, batchId, event, context.now(), unaudited);

/** Whether matches of a stage are to be created or played: a stopping rule ends all of them. */
const isOpen = ({ state, total, finished, failed, deleted, stoppedAt }: StageProgress) =>
  state !== batchState.failed && stoppedAt === null && finished + failed + deleted < total;

/** Tells those whose final submission did not start in its test run, some hours before the deadline. Returns when the next step is due. */
async function check(context: Context, tournament: Tournament): Promise<number> {
  const now = context.now();
  const deadline = tournament.entryDeadline.getTime();
  const timeOf = (hours: number) => deadline - hours * hourMs;
  const hours = checkedHours.findLast((one) => timeOf(one) <= now);
  if (hours !== undefined) {
    const { entered } = await entriesOf(context, tournament);
    const unstarted = await unstartedOf(context.pool, entered);
    const name = `${hours} h before ${tournament.entryDeadline.toISOString()}`;
    await inTransaction(context.pool, (client) => tell(client, tournament, 'CHECK_FAILED', unstarted, name));
  }
  const next = checkedHours.find((one) => timeOf(one) > now);
  return next === undefined ? deadline : timeOf(next);
}

/** Returns the final submissions that are entered, of verified users, and the users' names; `at`: those at that time. */
async function entriesOf(context: Context, tournament: Tournament, at = '') {
  const wanted = await finalsOf(context, tournament, at);
  const names = await verifiedNamesOf(
    context,
    wanted.map(({ userId }) => userId),
  );
  return { entered: wanted.filter(({ userId }) => names.has(userId)), names };
}

/** Freezes those whose submission was final at the deadline. */
async function freeze(context: Context, tournament: Tournament): Promise<void> {
  const at = tournament.entryDeadline.toISOString();
  const { entered, names } = await entriesOf(context, tournament, at);
  const userIds = entered.map(({ userId }) => userId);
  const problem = problemOf(userIds.length);
  if (problem !== '') return giveUp(context.pool, tournament, problem, context.now());
  const pinHolder = randomUUID();
  await withPins(context, pinHolder, async () => {
    const { pins, missingUserIds } = await context.submission.pinFinals({ holderId: pinHolder, userIds, at });
    if (missingUserIds.length > 0) throw new DomainError('ABORTED', 'entrants-changed', 'An entrant was deleted.');
    const entrants: SeatPlan[] = pins.map(seatPlan);
    await freezeEntrants(context.pool, tournament, { pinHolder, entrants, names, now: context.now() });
  });
}

function problemOf(entrants: number): string {
  const had = `${entrants.toLocaleString('en')} ${entrants === 1 ? 'user had' : 'users had'} a final submission at the deadline`;
  if (entrants < minEntrants) return `${had}; a tournament needs ${minEntrants}.`;
  if (entrants > maxEntrants) return `${had}; a tournament has at most ${maxEntrants.toLocaleString('en')} entrants.`;
  return '';
}

async function play(context: Context, tournament: Tournament): Promise<number> {
  const { pool } = context;
  const stage = tournament.stages.find(({ state }) => state !== 'finished');
  const results = await resultsOf(pool, tournament.id);
  const now = context.now();
  if (!stage) {
    const championId = championOf([...results.values()]);
    await advanceTournament(pool, tournament, { from: 'running', to: 'finished', championId, now });
    return now;
  }
  const entrants = await entrantsOf(pool, tournament.id);
  const players = playersOfStage(
    stage,
    entrants.map(({ userId }) => userId),
    results,
  );
  const progress = await progressOfStage(pool, stage.batchId);
  if (stage.state === 'pending') {
    const roster = players.flatMap((id) => entrants.find(({ userId }) => userId === id) ?? []);
    await start(context, tournament, stage, roster);
    return now;
  }
  if (!progress) throw new Error(`the batch of stage ${stage.number} is missing`);
  if (progress.paused && isOpen(progress)) await pause(context, stage.batchId, 'resumed');
  if (progress.state === batchState.failed) {
    await again(context, tournament, stage, progress.total);
    return now + refusedMs;
  }
  if (isOpen(progress)) return now + pollMs;
  if (progress.failed > 0 && progress.stoppedAt === null) {
    await again(context, tournament, stage, progress.failed);
    return now;
  }
  const drawBy = (await findPlanRecord(pool, tournament.id))?.commitment ?? '';
  const standing = await standingOfStage(context, stage, { players, before: results, drawBy });
  const waited = now - (progress.lastEndedAt?.getTime() ?? now);
  if (!standing.ready && waited < adjustingMs) return now + pollMs;
  await finishStage(pool, tournament, stage, standing.results, now);
  return now;
}

async function start(context: Context, tournament: Tournament, stage: StoredStage, roster: readonly SeatPlan[]) {
  const { spec, batchId, number } = stage;
  const tablePlan = planStage(spec, roster.length);
  const { mode, hands: numRounds } = spec;
  const userIds = roster.map(({ userId }) => userId);
  const stopRule =
    spec.stopRule && planStopRule({ ...spec.stopRule, userIds: [] }, tablePlan, { mode, numRounds, userIds });
  const isPublic = !(tournament.ceremony && number === tournament.stages.length);
  // Before its first match: live-data gives it to all matches of the batch.
  if (isPublic) await context.liveData.setBatchVisibility({ batchId, public: true });
  const batch = {
    id: batchId,
    ownerId: houseUserId,
    roster,
    numRounds,
    blinds: { bigBlind: spec.bigBlind, multiplier: '1', interval: 1 },
    tablePlan,
    tables: encodeTables(tablePlan, roster.length, { seed: batchId, hasRule: stopRule !== null }),
    stopRule,
    isPublic,
  };
  await startStage(context.pool, tournament, stage, batch, context.now());
  context.worker.kick();
}

/** Queues failed matches again, or pauses the tournament if that did not help. */
async function again(
  context: Context,
  tournament: Tournament,
  { batchId, retries, spec }: StoredStage,
  failed: number,
) {
  const now = context.now();
  if (retries >= maxRetries) {
    const matches = failed === 1 ? 'match has' : 'matches have';
    const problem = `${failed} ${matches} failed in ${spec.name}, also when played again. Continue the tournament to try once more.`;
    return advanceTournament(context.pool, tournament, { from: 'running', to: 'paused', problem, now });
  }
  await countRetry(context.pool, batchId);
  await retryBatch(context.pool, batchId, now, unaudited);
  context.worker.kick();
}
