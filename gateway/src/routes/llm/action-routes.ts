import type { ArenaStatus__Output } from '@husky/contracts/types/leaderboard/v1/ArenaStatus';
import { type Route, route } from '../../http/route.ts';
import { presentArena, presentBatchDetail } from './present.ts';
import { arenaStatus, batchDetail, batchParams, batchPublic, processed, publicBody, unprocessed } from './schema.ts';

const deletedText = ({ jobsDeleted, jobsTotal }: ArenaStatus__Output) =>
  jobsDeleted === 0 ? '' : `. ${jobsDeleted} of the ${jobsTotal} planned jobs were deleted and are not on it`;

// Adding or changing the largest batch, 38,760 jobs, takes seconds.
const wholeBatchTimeoutMs = 60_000;

function changeRoute(
  name: 'pause' | 'resume' | 'cancel' | 'retry',
  rpc: 'pauseBatch' | 'resumeBatch' | 'cancelBatch' | 'retryBatch',
  summary: string,
): Route {
  return route(`POST /llm/batch/{id}/${name}`, {
    access: 'admin',
    summary,
    params: batchParams,
    response: batchDetail,
    refusals: [400, 404],
    async handle({ params, context, caller }) {
      const options = { caller, timeoutMs: wholeBatchTimeoutMs };
      return presentBatchDetail(await context.simulation[rpc]({ batchId: params.id }, options), context);
    },
  });
}

export const batchActionRoutes = [
  changeRoute('pause', 'pauseBatch', 'Pause a batch: no further matches start, running ones continue'),
  changeRoute('resume', 'resumeBatch', 'Resume a paused batch'),
  changeRoute('cancel', 'cancelBatch', 'Cancel a batch: its unfinished matches fail'),
  changeRoute('retry', 'retryBatch', 'Queue the failed matches of a batch again; a cancelled batch continues'),
  route('POST /llm/batch/{id}/public', {
    access: 'admin',
    summary: 'Publish or hide all matches of a batch, later ones included; without a body: toggle it',
    params: batchParams,
    body: publicBody,
    response: batchPublic,
    refusals: [404],
    async handle({ params, body, context, caller }) {
      const { id } = await context.simulation.getBatch({ batchId: params.id }, { caller });
      const request = { batchId: id, ...(body.public === undefined ? {} : { public: body.public }) };
      const changed = await context.liveData.setBatchVisibility(request, { caller, timeoutMs: wholeBatchTimeoutMs });
      return {
        batch_id: changed.batchId,
        is_public: changed.isPublic,
        affected_jobs: changed.matches,
        affected_logs: changed.hands,
      };
    },
  }),
  route('GET /llm/batch/{id}/arena-status', {
    access: 'admin',
    summary: 'Whether every finished match of a batch is on the leaderboard',
    params: batchParams,
    response: arenaStatus,
    refusals: [404],
    async handle({ params, context, caller }) {
      return presentArena(await context.leaderboard.getArenaStatus({ batchId: params.id }, { caller }));
    },
  }),
  route('POST /llm/process-batch/{id}', {
    access: 'admin',
    summary: "Add the finished matches of a batch to its players' llm-batch entries, each once",
    params: batchParams,
    response: processed,
    refusals: [404],
    async handle({ params, context, caller }) {
      const done = await context.leaderboard.processBatch(
        { batchId: params.id },
        { caller, timeoutMs: wholeBatchTimeoutMs },
      );
      if (!done.status) throw new Error('leaderboard returned no status of the batch');
      return {
        message: `${done.jobsAdded > 0 ? `${done.jobsAdded} jobs added to the leaderboard` : 'No new finished jobs to add'}${deletedText(done.status)}`,
        jobs_added_now: done.jobsAdded,
        jobs_unfinished: done.jobsUnfinished,
        entries_created: done.entriesCreated,
        entries_updated: done.entriesUpdated,
        ...presentArena(done.status),
      };
    },
  }),
  route('POST /llm/delete-batch-leaderboard/{id}', {
    access: 'admin',
    summary: 'Remove a batch from the leaderboard: the exact inverse of process-batch',
    params: batchParams,
    response: unprocessed,
    refusals: [404],
    async handle({ params, context, caller }) {
      const options = { caller, timeoutMs: wholeBatchTimeoutMs };
      const done = await context.leaderboard.unprocessBatch({ batchId: params.id }, options);
      const nameOf = await context.names.of(done.skippedUserIds);
      return {
        message:
          done.jobsRemoved > 0
            ? `${done.jobsRemoved} jobs removed from the leaderboard`
            : 'The batch is not on the leaderboard',
        jobs_removed: done.jobsRemoved,
        entries_updated: done.entriesUpdated,
        entries_removed: done.entriesRemoved,
        skipped: done.skippedUserIds.map(nameOf),
      };
    },
  }),
];
