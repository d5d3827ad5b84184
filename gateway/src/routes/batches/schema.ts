import { z } from 'zod';
import { time } from '../../http/schema.ts';
import { matchCounts } from '../../match-counts.ts';
import { commitmentRecord } from '../live/schema.ts';
import { batchPlan, batchStop, jobStatuses } from '../llm/schema.ts';
import { resultFields } from '../results.ts';

export const batchResponse = z
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
