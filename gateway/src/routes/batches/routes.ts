import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { movedTo } from '../../http/errors.ts';
import { route } from '../../http/route.ts';
import { pathName, time } from '../../http/schema.ts';
import { countMatches, matchCounts, presentCounts } from '../../match-counts.ts';
import { presentRecord } from '../live/present.ts';
import { commitmentRecord } from '../live/schema.ts';
import { presentJobStatuses, presentPlan, presentStop } from '../llm/present.ts';
import { batchPlan, batchStop, jobStatuses } from '../llm/schema.ts';
import { presentResults, resultFields } from '../results.ts';

const batchResponse = z
  .object({
    batch_id: z.string(),
    batch_number: z.number().int(),
    created_at: time,
    is_public: z.boolean().describe('false: only admins see this batch'),
    state: z.string().describe('Preparing, Generating, Ready, Cancelled, Stopped (by its rule), Failed'),
    paused: z.boolean(),
    num_rounds: z.number().int().describe('hands of a match at most'),
    plan: batchPlan,
    stop: batchStop.nullable().describe('null: no stopping rule'),
    users: z.array(z.string()),
    total_jobs: z.number().int(),
    job_statuses: jobStatuses,
    plan_record: commitmentRecord.nullable().describe('in the chain, from before the first seed; null: see plan_note'),
    plan_note: z.string().nullable().describe('why there is no record of a plan'),
    counts: matchCounts,
    ...resultFields,
  })
  .meta({ id: 'PublicBatch' });

/** Finds the batch that has a number, or had it last, if the caller may read it. Throws NOT_FOUND, also for text that is no number. */
export function findBatch(number: string, context: Context, caller: Caller) {
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
  return context.simulation.findBatch({ batchNumber: Number(number) }, { caller });
}

export const batchesRoutes = [
  route('GET /batches/{number}', {
    access: 'anyone',
    summary:
      'A public batch: standing, curves, who won how much from whom. Admins also read private ones; 307 from a number that it had',
    params: pathName('number'),
    response: batchResponse,
    refusals: [307, 404],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const { number = '' } = params;
      const batch = await findBatch(number, context, caller);
      // Not permanently: another batch may get the old number.
      if (batch.batchNumber !== Number(number)) throw movedTo(`/batches/${batch.batchNumber}`);
      const [results, nameOf, visible, counts] = await Promise.all([
        context.liveData.getResults({ batchId: batch.id }, { caller }),
        context.names.of(batch.userIds),
        context.liveData.listPublicBatches({ batchIds: [batch.id] }, { caller: { kind: 'anonymous' } }),
        countMatches(context, batch.id),
      ]);
      return {
        batch_id: batch.id,
        batch_number: batch.batchNumber,
        created_at: batch.createdAt,
        is_public: visible.batchIds.includes(batch.id),
        state: batch.state,
        paused: batch.paused,
        num_rounds: batch.numRounds,
        plan: presentPlan(batch.plan),
        // The course is computed from the results of all matches: a caller who may not read all of them does not get it.
        stop: presentStop(batch.stop, nameOf, results.matches >= batch.finished),
        users: batch.userIds.map(nameOf),
        total_jobs: batch.totalJobs,
        job_statuses: presentJobStatuses(batch),
        plan_record: batch.planRecord && presentRecord(batch.planRecord),
        plan_note: batch.planNote || null,
        counts: presentCounts(counts, results.matches, { withNoContest: true }),
        ...(await presentResults(results, context)),
      };
    },
  }),
];
