import { randomUUID } from 'node:crypto';
import { trialMatches } from '@husky/contracts/trials';
import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { trialPair } from '@husky/estimate/trial';
import { describeFault, faultNamed } from '@husky/match/fault';
import { gameIdOf } from '@husky/match/game-id';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { type JobPlan, tableSize } from '../../domain/job.ts';
import { jobState, unfinishedStates } from '../../domain/job-state.ts';
import { preparationVerdict } from '../../domain/loss.ts';
import { refuseDeleted } from '../../event/store/quotas.ts';
import { readSettings, refuseWhenFrozen } from '../../event/store/settings.ts';
import { luckOf } from '../../match-luck.ts';
import { usernamesOf } from '../../names.ts';
import { insertJobs, newJobId, planTrialSet } from '../../store/insert-jobs.ts';
import { failUnfinished } from '../../store/job-changes.ts';
import { dealKeyOfJob, rotationsOf } from '../../store/jobs.ts';
import type { StoredJob } from '../../store/stored-job.ts';
import { forEach } from '../../work/for-each.ts';
import { resolvePackages } from '../../work/preparer.ts';
import { botName, hasBudget, maxVoidSets, setsAhead, trialBlinds } from '../domain/trial.ts';
import {
  countSet,
  countVoid,
  endTrial,
  matchesToStop,
  planNext,
  playingSets,
  playingTrials,
  type StoredSet,
  type StoredTrial,
  storeSeats,
  voidSet,
} from '../store/trials.ts';

const atOnce = 5;
const stopsAtOnce = 200;
const luckMs = 24 * 3_600_000;
/** Refusals because something has changed since a set was chosen, or cannot be done now. */
const changes: readonly string[] = ['FAILED_PRECONDITION', 'UNAUTHENTICATED'];

/**
 * Counts the sets of trials whose matches have ended, plans further ones, and stops the matches of those that have ended. Safe on every replica: sets are
 * planned and counted under the lock of their trial.
 */
export async function runTrials(context: Context): Promise<boolean> {
  const outcome = await forEach(await playingTrials(context.pool), atOnce, (trial) => runTrial(context, trial));
  for (const { item, error } of outcome.failed) {
    context.log.warn({ err: error, trialId: item.id }, `a step of a trial failed: ${messageOf(error)}`);
  }
  if (outcome.outage !== undefined) throw outcome.outage;
  const stopped = await matchesToStop(context.pool, stopsAtOnce);
  for (const id of stopped) {
    await failUnfinished(context.pool, id, 'The trial did not need this match any more.', context.now());
  }
  if (stopped.length > 0) context.relay.kick();
  return stopped.length === stopsAtOnce;
}

async function runTrial(context: Context, trial: StoredTrial): Promise<void> {
  // In order: a trial is decided on its first sets, however long they take, and so equally on every replica and at home.
  for (const set of await playingSets(context.pool, trial.id)) if (!(await settleSet(context, trial, set))) break;
  const { frozen } = await readSettings(context.pool);
  if (frozen) return;
  // Asked first: planSet reads names from auth.
  while ((await playingSets(context.pool, trial.id)).length < setsAhead && (await planSet(context, trial))) {
    context.relay.kick();
  }
}

/** Counts a set, or makes it void. Returns whether the next one may follow. */
async function settleSet(context: Context, trial: StoredTrial, set: StoredSet): Promise<boolean> {
  const { pool } = context;
  const jobs = await rotationsOf(pool, set.id);
  const failed = jobs.find(({ state }) => state === jobState.failed);
  const isLate = context.now() - set.createdAt.getTime() > luckMs;
  if (failed || jobs.length < trialMatches) return makeVoid(context, trial, set, failed?.errorMessage);
  if (jobs.some(({ state }) => unfinishedStates.includes(state))) return false;
  const fault = jobs.map((job) => faultOf(trial, job)).find((text) => text !== undefined);
  if (fault !== undefined) {
    await endTrial(pool, trial.id, { state: 'failed', problem: fault }, context.now());
    return false;
  }
  const played = await Promise.all(jobs.map((job) => matchOf(context, trial, job)));
  const known = played.filter((match) => match !== null);
  if (known.length < jobs.length) return isLate ? makeVoid(context, trial, set, 'its results are not known') : false;
  const [a, b] = [known.slice(0, tableSize), known.slice(tableSize)];
  const pair = trialPair(a, b);
  if (pair.hands === 0) return makeVoid(context, trial, set, 'no hand was played');
  const different = a.flatMap((mine, index) => differencesOf(mine, b[index] as Tried, index + 1));
  const dealKey = await dealKeyOfJob(context.prisma, jobs[0] as StoredJob);
  const isLast = (sets: number) => !hasBudget(trial, sets);
  await countSet(pool, trial.id, { id: set.id, pair, dealKey, different }, isLast, context.now());
  return true;
}

async function makeVoid(context: Context, { id }: StoredTrial, set: StoredSet, cause = 'it was deleted') {
  await voidSet(context.pool, set.id, context.now());
  const voids = await countVoid(context.pool, id);
  if (voids >= maxVoidSets) {
    const problem = `Matches of ${voids} deal sets failed, so that they do not count. The last one: ${cause}`;
    await endTrial(context.pool, id, { state: 'failed', problem }, context.now());
  }
  return voids < maxVoidSets;
}

/** Returns why the version that a match tries did not play to its end; undefined: it did. */
function faultOf(trial: StoredTrial, { id, rotation, seats }: StoredJob): string | undefined {
  const faults = (seats.find(({ userId }) => userId === trial.ownerId)?.faults ?? null) as SeatFaults__Output | null;
  if (!faults?.neverStarted && !faults?.outKind) return undefined;
  const out = faultNamed(faults.outKind);
  const what = faults.neverStarted || !out ? 'did not start' : describeFault(out);
  const version = (rotation ?? 0) > tableSize ? 'B' : 'A';
  return `${version} did not play to the end of match ${id}: it ${what}. Correct it, and start a trial of the corrected version.`;
}

interface Tried {
  /** Id of a hand, from 1. */
  readonly gameOf: (hand: number) => string;
  readonly chips: number;
  readonly hands: number;
  /** Chips won up to each hand. */
  readonly raw: readonly number[];
}

/** Returns what the version won that a match tries; null while it is not known. */
async function matchOf(context: Context, { ownerId }: StoredTrial, job: StoredJob): Promise<Tried | null> {
  const hands = job.handsPlayed;
  const gameOf = (hand: number) => gameIdOf(job.id, job.acceptedAttempt ?? job.attempt, hand);
  if (job.noContest) return { gameOf, chips: 0, hands, raw: [] };
  const luck = await luckOf(context, job.id);
  const own = luck?.players.find(({ userId }) => userId === ownerId);
  return own ? { gameOf, chips: own.adjusted.at(-1) ?? 0, hands, raw: own.raw } : null;
}

function differencesOf(mine: Tried, yours: Tried, rotation: number) {
  const won = ({ raw }: Tried, hand: number) => (raw[hand] ?? 0) - (raw[hand - 1] ?? 0);
  return mine.raw.slice(0, yours.raw.length).map((_, hand) => {
    const chips = { a: won(mine, hand), b: won(yours, hand) };
    return { rotation, hand: hand + 1, ...chips, gameA: mine.gameOf(hand + 1), gameB: yours.gameOf(hand + 1) };
  });
}

/** Plans the next set, if there is room for one. */
async function planSet(context: Context, trial: StoredTrial): Promise<boolean> {
  const mayPlan = (counted: number, playing: number) => playing < setsAhead && hasBudget(trial, counted + playing);
  const seats = await preparedSeats(context, trial);
  const [a, b, ...field] = seats ?? [];
  if (!a || !b) return false;
  const names = await usernamesOf(context, [...new Set(trial.seats.map(({ userId }) => userId))]);
  const setId = randomUUID();
  const match: JobPlan = {
    id: newJobId(),
    kind: 'TRIAL',
    ownerId: trial.ownerId,
    batchId: null,
    gameNumber: null,
    holderId: setId,
    numRounds: trial.numRounds,
    blinds: trialBlinds,
    stacks: 'reset',
    dealSetId: setId,
    rotation: null,
    limits: context.settings.limits,
    seats: [a, ...field],
  };
  const now = context.now();
  try {
    return await planNext(context.pool, trial.id, { setId, now }, mayPlan, async (client) => {
      await refuseDeleted(client, trial.ownerId);
      await refuseWhenFrozen(client, 'untilCommit');
      const planning = { names, beacon: context.settings.beacon?.chain ?? null };
      await insertJobs(client, planTrialSet(match, b), { now, planning });
    });
  } catch (error) {
    // Frozen, deleted, or the chain is broken: it is tried again until the trial ends.
    if (error instanceof DomainError && changes.includes(error.code)) return false;
    throw error;
  }
}

/** Returns the seats with the hashes of their packages. Null: not known yet, or one cannot be played, which ends the trial. */
async function preparedSeats(context: Context, trial: StoredTrial) {
  if (trial.seats.every(({ packagesHash }) => packagesHash !== null)) return trial.seats;
  const hashes = new Map<string, string>();
  for (const [place, { botHash, packagesHash }] of trial.seats.entries()) {
    if (packagesHash !== null || hashes.has(botHash)) continue;
    try {
      hashes.set(botHash, await resolvePackages(context, botHash));
    } catch (error) {
      const elapsedMs = context.now() - trial.createdAt.getTime();
      if (preparationVerdict(error, elapsedMs, context.settings.prepareMs) === 'retry') return null;
      // What is wrong with others' bots is private.
      const cause = place < 2 ? `: ${messageOf(error)}` : '.';
      const problem = `${botName(place)} cannot be played${cause}`;
      await endTrial(context.pool, trial.id, { state: 'failed', problem }, context.now());
      return null;
    }
  }
  const seats = trial.seats.map((seat) => ({
    ...seat,
    packagesHash: seat.packagesHash ?? hashes.get(seat.botHash) ?? null,
  }));
  await storeSeats(context.pool, trial.id, seats);
  return seats;
}
