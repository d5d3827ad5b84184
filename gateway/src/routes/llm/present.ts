import type { ArenaStatus__Output } from '@husky/contracts/types/leaderboard/v1/ArenaStatus';
import type { Batch__Output } from '@husky/contracts/types/simulation/v1/Batch';
import type { BatchMetadata__Output } from '@husky/contracts/types/simulation/v1/BatchMetadata';
import type { BatchPlan__Output } from '@husky/contracts/types/simulation/v1/BatchPlan';
import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import type { StopState__Output } from '@husky/contracts/types/simulation/v1/StopState';
import { parseStacks } from '@husky/match/stacks';
import type { Context } from '../../context.ts';
import { countMatches, presentCounts } from '../../match-counts.ts';
import { presentFaults } from '../sim/faults.ts';
import { presentMode, presentResults } from '../sim/present.ts';

type NameOf = (id: string) => string;
type Status = 'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED';

export function presentBatchJob(job: Job__Output, nameOf: NameOf) {
  return {
    job_id: job.id,
    status: (job.status === 'JOB_STATUS_UNSPECIFIED' ? 'PENDING' : job.status) as Status,
    users_to_run: job.playerIds.map(nameOf),
    game_number: job.gameNumber,
    error_message: job.errorMessage || null,
    result_data: presentResults(job, nameOf) ?? null,
    ...presentFaults(job, nameOf),
    ...presentMode(job),
    hands_done: job.status === 'FINISHED' ? job.handsPlayed : job.handsDone,
    completed_at: job.endedAt || null,
  };
}

export function presentPlan(plan: BatchPlan__Output | null) {
  if (!plan) throw new Error('simulation returned no plan of the batch');
  return {
    mode: plan.mode === 'duplicate' ? ('duplicate' as const) : ('classic' as const),
    stacks: parseStacks(plan.stacks),
    design: plan.design === 'all' ? ('all' as const) : ('balanced' as const),
    hand_budget: plan.handBudget || null,
    tables: plan.tables,
    matches: plan.matches,
    hands: plan.hands,
    tables_of_player: { min: plan.minTablesOfPlayer, max: plan.maxTablesOfPlayer },
    tables_of_pair: { min: plan.minTablesOfPair, max: plan.maxTablesOfPair },
  };
}

const decisions = ['better', 'worse', 'equivalent'] as const;

/** Presents a stopping rule. `showsCourse`: whether the caller may read all results from which the course is computed. */
export function presentStop(stop: StopState__Output | null, nameOf: NameOf, showsCourse = true) {
  if (!stop?.rule) return null;
  const { rule, pairs, players } = stop;
  const isShown = showsCourse && pairs.length > 0;
  return {
    users: rule.userIds.length === 0 ? null : rule.userIds.map(nameOf),
    alpha: rule.alpha,
    margin: rule.margin || null,
    stopped_at: stop.stoppedAt || null,
    outdated: stop.outdated,
    players: isShown
      ? players.map(({ userId, tables, mean, low, high }) => ({ username: nameOf(userId), tables, mean, low, high }))
      : null,
    pairs: isShown
      ? pairs.map(({ userIds, course }) => ({
          users: userIds.map(nameOf),
          course: course.map(({ tables, mean, low, high, decision }) => ({
            tables,
            mean,
            low: low ?? null,
            high: high ?? null,
            decision: decisions.find((known) => known === decision) ?? ('continue' as const),
          })),
        }))
      : null,
  };
}

/** Presents how many matches of a batch are in each state. */
export function presentJobStatuses({ pending, running, finished, failed, deleted }: Batch__Output) {
  return { PENDING: pending, RUNNING: running, FINISHED: finished, FAILED: failed, DELETED: deleted };
}

function presentBatch(batch: Batch__Output, nameOf: NameOf, isPublic: boolean) {
  return {
    batch_id: batch.id,
    batch_number: batch.batchNumber,
    created_at: batch.createdAt,
    username: nameOf(batch.ownerId),
    total_jobs: batch.totalJobs,
    generated_jobs: batch.generatedJobs,
    job_statuses: presentJobStatuses(batch),
    users: batch.userIds.map(nameOf),
    state: batch.state,
    paused: batch.paused,
    problem: batch.problem || null,
    is_public: isPublic,
    on_leaderboard: batch.held,
    num_rounds: batch.numRounds,
    plan: presentPlan(batch.plan),
    stop: presentStop(batch.stop, nameOf),
    hands_per_second: batch.handsPerSecond || null,
    seconds_left: batch.secondsLeft || null,
  };
}

/** Presents a page of batches, each with its first jobs. */
export async function presentBatches(batches: readonly Batch__Output[], context: Context) {
  const batchIds = batches.map((batch) => batch.id);
  const ids = batches.flatMap((batch) => [
    batch.ownerId,
    ...batch.userIds,
    ...batch.firstJobs.flatMap((job) => job.playerIds),
  ]);
  const [nameOf, visible] = await Promise.all([
    context.names.of(ids),
    context.liveData.listPublicBatches({ batchIds }, { caller: { kind: 'anonymous' } }),
  ]);
  const open = new Set(visible.batchIds);
  return batches.map((batch) => ({
    ...presentBatch(batch, nameOf, open.has(batch.id)),
    jobs: batch.firstJobs.map((job) => presentBatchJob(job, nameOf)),
  }));
}

/** Presents one batch with its standing, best first. */
export async function presentBatchDetail(batch: Batch__Output, context: Context) {
  const [nameOf, visible, counts] = await Promise.all([
    context.names.of([batch.ownerId, ...batch.userIds, ...batch.standings.map((standing) => standing.userId)]),
    context.liveData.listPublicBatches({ batchIds: [batch.id] }, { caller: { kind: 'anonymous' } }),
    countMatches(context, batch.id),
  ]);
  return {
    ...presentBatch(batch, nameOf, visible.batchIds.includes(batch.id)),
    counts: presentCounts(counts, batch.finished, { withNoContest: true }),
    standings: batch.standings.map(({ userId, delta, matches }) => ({ username: nameOf(userId), delta, matches })),
  };
}

export function presentArena(status: ArenaStatus__Output) {
  return {
    all_added: status.allAdded,
    jobs_added: status.jobsAdded,
    jobs_finished: status.jobsFinished,
    total_jobs: status.jobsTotal,
    jobs_deleted: status.jobsDeleted,
  };
}

export function presentMetadata(metadata: BatchMetadata__Output) {
  return {
    batch_id: metadata.batchId,
    metadata_id: metadata.metadataId || null,
    batch_metadata: JSON.parse(metadata.metadataJson || '{}') as Record<string, unknown>,
    batch_entries_count: metadata.batchEntries,
  };
}
