import { z } from 'zod';
import { listQuery, time } from '../../http/schema.ts';
import { entry } from '../leaderboard/schema.ts';
import { faultFields } from '../sim/faults.ts';

export const userCount = z.object({ user_count: z.number().int(), verified_count: z.number().int() });
export const jobCount = z.object({ job_count: z.number().int() });
export const submissionCount = z.object({ submission_count: z.number().int() });
export const adminUser = z
  .object({ username: z.string(), email: z.string(), admin: z.boolean(), is_verified: z.boolean() })
  .meta({ id: 'AdminUser' });
export const adminJobsQuery = listQuery.extend({
  order: z.enum(['newest', 'running']).default('newest').describe('running: stuck and running ones first'),
});
/** Of a match and of a change of the pool's size. */
const listedJob = z.object({
  id: z.string(),
  job_id: z.string(),
  status: z.string(),
  job_status: z.string(),
  error_message: z.string().nullable(),
  result_data: z.record(z.string(), z.number()).nullable(),
  ...faultFields,
  username: z.string(),
  created_at: time,
  completed_at: time.nullable(),
  tournaments_2025_added: z.boolean(),
  tournaments_2025_allowed: z.boolean().describe('whether the 2025 leaderboard would take it'),
  kind: z.string(),
  batch_number: z.number().int().nullable(),
  game_number: z.number().int().nullable(),
});
export const adminJob = listedJob
  .extend({
    players: z.array(z.string()),
    queue_position: z.number().int().nullable(),
    hands_done: z.number().int(),
    num_rounds: z.number().int(),
    waiting_reason: z.string().nullable().describe('why a pending match gets no commitment'),
    stuck_reason: z.string().nullable().describe('why it may be queued again; null: it is not stuck'),
  })
  .meta({ id: 'AdminJob' });
export const scalingJob = listedJob
  .extend({
    from_size: z.number().int(),
    target_size: z.number().int(),
    current_size: z.number().int(),
    waiting_reason: z.string().nullable().describe('of an open job: what its runners wait for'),
  })
  .meta({ id: 'ScalingJob' });
// Bodies with the desired state: if two admins send the same change concurrently, the second one gets a 409.
export const adminBody = z.strictObject({ admin: z.boolean().optional() }).default({});
export const verifiedBody = z.strictObject({ is_verified: z.boolean().optional() }).default({});
export const jobPublicBody = z.strictObject({ is_public: z.boolean().optional() }).default({});
export const toggledAdmin = z.object({ admin: z.boolean() });
export const toggledVerified = z.object({ is_verified: z.boolean() });
export const toggledPublic = z.object({ job_id: z.string(), is_public: z.boolean(), affected_logs: z.number().int() });
export const requeued = z.object({ job_id: z.string(), job_status: z.string() });
export const job2025Status = z.object({ tournaments_2025_added: z.boolean() });
export const applied2025 = z.object({ updated: z.array(entry), created: z.array(entry) });
export const unapplied2025 = z.object({ updated: z.array(entry), skipped: z.array(z.string()) });
export const finalSubmission = z.object({
  has_final_submission: z.boolean(),
  message: z.string(),
  submission_id: z.string().optional(),
  player_file: z.string().optional(),
  package_file: z.string().optional(),
  created_at: time.optional(),
});
