import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelopeOf } from '../../http/schema.ts';
import { batchActionRoutes } from './action-routes.ts';
import { batchMetadataRoutes } from './metadata-routes.ts';
import { presentBatchDetail, presentBatches, presentBatchJob, presentPlan } from './present.ts';
import {
  type BatchOptions,
  batchDetail,
  batches,
  batchesQuery,
  batchJobs,
  batchJobsQuery,
  batchParams,
  batchPlan,
  batchPlanQuery,
  batchRun,
  batchRunBody,
  deletedBatch,
  type StopRuleBody,
} from './schema.ts';

// Limits the size of the response: a batch may have 38,760 matches.
const jobsShown = 10;

function optionsOf({ mode, stacks, design, num_rounds, hand_budget }: BatchOptions) {
  return { mode, stacks, design, numRounds: num_rounds ?? 0, handBudget: hand_budget };
}

async function stopRuleOf({ users = [], alpha, margin }: StopRuleBody, context: Context) {
  const { ids, unknown } = await context.names.idsOf(users);
  if (unknown.length > 0) {
    throw new DomainError('FAILED_PRECONDITION', 'no-such-user', `There is no user ${unknown.join(', ')}`);
  }
  return { alpha, margin, userIds: ids };
}

export const batchRoutes = [
  route('POST /llm/batch-run', {
    access: 'admin',
    repeatable: true,
    summary:
      'Matches of 1,000 hands for every 6 of 6 to 20 users, or by another design; made in the background, private until published',
    body: batchRunBody,
    response: batchRun,
    refusals: [400],
    async handle({ body, context, caller }) {
      const {
        users_list: names,
        stop_rule,
        public: isPublic,
        ...options
      } = Array.isArray(body) ? { users_list: body, stop_rule: undefined, public: false } : body;
      const { ids, unknown } = await context.names.idsOf(names);
      if (unknown.length > 0) {
        throw new DomainError('FAILED_PRECONDITION', 'no-such-user', `There is no user ${unknown.join(', ')}`);
      }
      const created = await context.simulation.createBatch(
        {
          userIds: ids,
          public: isPublic,
          ...optionsOf(options),
          ...(stop_rule ? { stopRule: await stopRuleOf(stop_rule, context) } : {}),
        },
        { caller },
      );
      if (isPublic) await context.liveData.setBatchVisibility({ batchId: created.id, public: true }, { caller });
      return { batch_id: created.id, total_jobs: created.totalJobs };
    },
  }),
  route('GET /llm/batch-plan', {
    access: 'admin',
    summary: 'What a batch with these options would play: matches, hands, and how often its players meet',
    query: batchPlanQuery,
    response: batchPlan,
    refusals: [400],
    async handle({ query, context, caller }) {
      const { users, ...options } = query;
      return presentPlan(await context.simulation.planBatch({ users, ...optionsOf(options) }, { caller }));
    },
  }),
  route('GET /llm/batches', {
    access: 'admin',
    summary: 'Batches, newest first, with counts by status and their first jobs',
    query: batchesQuery,
    response: batches,
    async handle({ query, context, caller }) {
      const { page, page_size: pageSize } = query;
      const request = { page, pageSize, jobsEach: jobsShown };
      const list = await context.simulation.listBatches(request, { caller });
      return { batches: await presentBatches(list.batches, context), ...envelopeOf(list.total, page, pageSize) };
    },
  }),
  route('GET /llm/batch/{id}', {
    access: 'admin',
    summary: 'One batch with its standing while it runs',
    params: batchParams,
    response: batchDetail,
    refusals: [404],
    async handle({ params, context, caller }) {
      return presentBatchDetail(await context.simulation.getBatch({ batchId: params.id }, { caller }), context);
    },
  }),
  route('GET /llm/batch/{id}/jobs', {
    access: 'admin',
    summary: "A batch's jobs by page, in the order of their game numbers",
    params: batchParams,
    query: batchJobsQuery,
    response: batchJobs,
    refusals: [400, 404],
    async handle({ params, query, context, caller }) {
      const { page, page_size: pageSize, status } = query;
      const request = { batchId: params.id, page, pageSize, status };
      const { jobs, total } = await context.simulation.listBatchJobs(request, { caller });
      const nameOf = await context.names.of(jobs.flatMap((job) => job.playerIds));
      return { jobs: jobs.map((job) => presentBatchJob(job, nameOf)), ...envelopeOf(total, page, pageSize) };
    },
  }),
  route('DELETE /llm/batch/{id}', {
    access: 'admin',
    summary: 'Delete a batch and its jobs; what runs is cancelled. Not while it is on the leaderboard',
    params: batchParams,
    response: deletedBatch,
    refusals: [404, 409],
    async handle({ params, context, caller }) {
      const deleted = await context.simulation.deleteBatch({ batchId: params.id }, { caller, timeoutMs: 30_000 });
      return {
        message: 'Batch deleted',
        jobs_deleted: deleted.jobs,
        jobs_finished: deleted.finished,
        jobs_cancelled: deleted.cancelled,
      };
    },
  }),
];

export const llmRoutes = [...batchRoutes, ...batchActionRoutes, ...batchMetadataRoutes];
