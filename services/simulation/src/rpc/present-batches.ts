import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { BatchPlan } from '@husky/contracts/types/simulation/v1/BatchPlan';
import type { StacksMode } from '@husky/match/stacks';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Context } from '../context.ts';
import { countsOf, type Design, matchesOfTable, type TablePlan } from '../domain/batch-plan.ts';
import { plannedJobs } from '../domain/batch-state.ts';
import { batchNotFound, type MatchMode } from '../domain/job.ts';
import { isInForce, type StopRule, stopCourse } from '../domain/stop-rule.ts';
import { type BatchProgress, findBatch, progressOf, type StoredBatch, standingsOf } from '../store/batches.ts';
import { chainProblem } from '../store/chain-check.ts';
import { beaconReasons, findPlanRecord } from '../store/plans.ts';
import { tableResults } from '../store/stop-rules.ts';
import { presentRecord } from './commitments.ts';

/** Returns why there is no record of a plan. `hasSeeds`: a seed of what would be planned is drawn. */
export const planNote = (hasSeeds: boolean): string =>
  hasSeeds ? 'no plan record (made before plans were recorded)' : 'no plan record yet (no seed is drawn before it)';

/** Returns a batch by its id. Throws NOT_FOUND. */
export async function requireBatch(context: Context, id: string): Promise<StoredBatch> {
  const batch = isUuid(id) ? await findBatch(context.prisma, id) : null;
  if (!batch) throw batchNotFound();
  return batch;
}

export async function presentBatches(context: Context, batches: readonly StoredBatch[]): Promise<Batch[]> {
  const ids = batches.map((batch) => batch.id);
  const [progress, problem, reasons] = await Promise.all([
    progressOf(context.pool, ids, context.now()),
    chainProblem(context.pool),
    beaconReasons(context.pool, ids),
  ]);
  return batches.map((batch) => presentBatch(batch, problem || (reasons.get(batch.id) ?? ''), progress.get(batch.id)));
}

/** Returns one batch with its standings. Throws NOT_FOUND. */
export async function presentBatchDetails(context: Context, id: string): Promise<Batch> {
  const batch = await presentWithCourse(context, await requireBatch(context, id));
  return { ...batch, standings: await standingsOf(context.pool, id) };
}

/** Presents one batch with the record of its plan and the course of its stopping rule, if it has one. */
export async function presentWithCourse(context: Context, stored: StoredBatch): Promise<Batch> {
  const [presented = {}] = await presentBatches(context, [stored]);
  const record = await findPlanRecord(context.pool, stored.id);
  const ofPlan = record ? { planRecord: presentRecord(record) } : { planNote: planNote(stored.generatedJobs > 0) };
  const batch = { ...presented, ...ofPlan };
  if (!batch.stop) return batch;
  const rule = stored.stopRule as unknown as StopRule;
  if (!isInForce(rule)) return batch;
  const ruled = { ...stored, mode: stored.mode as MatchMode };
  const { players, pairs } = stopCourse(rule, ruled, await tableResults(context.pool, ruled));
  return {
    ...batch,
    stop: {
      ...batch.stop,
      players: [...players],
      pairs: pairs.map(({ pair, course }) => ({ userIds: [...pair], course: [...course] })),
    },
  };
}

const noProgress: BatchProgress = {
  waiting: 0,
  running: 0,
  finished: 0,
  failed: 0,
  deleted: 0,
  handsInPlay: 0,
  recentHands: 0,
  recentSeconds: 0,
};

function presentBatch(batch: StoredBatch, waits: string, progress: BatchProgress = noProgress): Batch {
  const { waiting, running, finished, failed, deleted } = progress;
  const pending = waiting + plannedJobs(batch) - batch.generatedJobs;
  const handsPerSecond = progress.recentSeconds > 0 ? progress.recentHands / progress.recentSeconds : 0;
  const handsLeft = (pending + running) * batch.numRounds - progress.handsInPlay;
  return {
    id: batch.id,
    batchNumber: batch.shownNumber,
    ownerId: batch.ownerId,
    createdAt: batch.createdAt.toISOString(),
    state: batch.stoppedAt ? 'Stopped' : batch.state.charAt(0) + batch.state.slice(1).toLowerCase(),
    paused: batch.paused,
    problem: batch.problem || (pending > 0 ? waits : ''),
    totalJobs: batch.totalJobs,
    generatedJobs: batch.generatedJobs,
    pending,
    running,
    finished,
    failed,
    deleted,
    held: batch.held,
    userIds: batch.userIds,
    numRounds: batch.numRounds,
    blinds: { bigBlind: batch.bigBlind, multiplier: batch.blindMultiplier, interval: batch.blindInterval },
    handsPerSecond,
    secondsLeft: handsPerSecond > 0 && !batch.paused ? handsLeft / handsPerSecond : 0,
    metadataId: batch.metadataId ?? '',
    ...presentStop(batch),
    plan: presentPlan(tablePlanOf(batch), batch.userIds.length, batch.numRounds),
  };
}

/** Presents the rule without its course. insertBatch is the only writer of the column. */
function presentStop({ stopRule, stoppedAt }: StoredBatch): Pick<Batch, 'stop'> {
  if (stopRule === null) return {};
  const stored = stopRule as unknown as StopRule;
  const { alpha, margin, pair } = stored;
  const rule = { alpha, margin: margin ?? 0, userIds: pair === null ? [] : [...pair] };
  return { stop: { rule, stoppedAt: stoppedAt?.toISOString() ?? '', outdated: !isInForce(stored) } };
}

/** Returns the plan with which a batch was created. insertBatch is the only writer of these columns. */
function tablePlanOf(batch: StoredBatch): TablePlan {
  const mode = batch.mode as MatchMode;
  return {
    mode,
    stacks: batch.stacks as StacksMode,
    design: batch.design as Design,
    handBudget: batch.handBudget === null ? null : Number(batch.handBudget),
    tables: batch.totalJobs / matchesOfTable(mode),
    matches: batch.totalJobs,
  };
}

export function presentPlan(plan: TablePlan, users: number, numRounds: number): BatchPlan {
  const { blocksOfPlayer, blocksOfPair } = countsOf(plan, users);
  return {
    mode: plan.mode,
    stacks: plan.stacks,
    design: plan.design,
    handBudget: plan.handBudget ?? 0,
    tables: plan.tables,
    matches: plan.matches,
    hands: plan.matches * numRounds,
    minTablesOfPlayer: blocksOfPlayer.min,
    maxTablesOfPlayer: blocksOfPlayer.max,
    minTablesOfPair: blocksOfPair.min,
    maxTablesOfPair: blocksOfPair.max,
  };
}
