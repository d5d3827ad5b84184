import { z } from 'zod';
import { time } from '../../http/schema.ts';

const sandbox = z
  .object({
    means: z.array(z.string()).describe('names of the means in force'),
    missing: z.array(z.string()).describe('a sentence for each means without which bots are refused'),
    lacking: z.array(z.string()).describe('a sentence for each other means that the machine does not have'),
  })
  .meta({ id: 'Sandbox' });
const container = z
  .object({
    container_name: z.string(),
    port: z.number().int(),
    state: z.string(),
    job_id: z.string().nullable(),
    reason: z.string().describe('what the runner waits for, such as a node with room; empty: for nothing but a match'),
    since: time.describe('start of the runner or of one of its processes'),
    sandbox: sandbox.nullable().describe("the runner's sandbox; null: unknown until it requests work"),
  })
  .meta({ id: 'Container' });
export const poolStatus = z.object({
  success: z.boolean(),
  data: z.object({
    pool_size: z.number().int(),
    active_containers: z.number().int(),
    idle_containers: z.number().int(),
    acquired_containers: z.number().int(),
    target_size: z.number().int(),
  }),
});
export const poolDetailed = z.object({
  success: z.boolean(),
  data: z.object({ idle_containers: z.array(container), active_containers: z.array(container) }),
});
export const scaleQuery = z.object({
  target_size: z
    .string('is missing: name the number of runners, at least 3')
    .regex(/^-?\d{1,9}$/, 'must be an integer')
    .transform(Number)
    .meta({ type: 'integer', minimum: 3, maximum: 999_999_999, pattern: undefined }),
});
export const scaleResponse = z.object({ success: z.boolean(), job_id: z.string(), message: z.string() });
const state = z.enum(['off', 'steady', 'scaling', 'waiting', 'stopped']);
export const autoscaling = z
  .object({
    enabled: z.boolean(),
    minimum: z.number().int(),
    maximum: z.number().int(),
    largest_maximum: z.number().int().describe('upper limit of maximum'),
    drain_seconds: z.number().int().describe('target time for playing the backlog'),
    version: z.number().int(),
    updated_at: time,
    updated_by: z.string().nullable(),
    state: state.describe('stopped: enabled, but runners do not start or a part is unavailable; see reason'),
    reason: z.string(),
    backlog_hands: z.number().int(),
    hands_per_second: z.number().describe('recent speed of one runner; 0: not known'),
    wanted_size: z.number().int().describe('0: not known'),
    looked_at: time.nullable(),
  })
  .meta({ id: 'Autoscaling' });
const count = z.number().int().min(0).max(1_000_000);
export const autoscalingBody = z
  .strictObject({
    enabled: z.boolean(),
    minimum: count,
    maximum: count,
    drain_seconds: count,
    expected_version: z.number().int().describe('409 when somebody else has changed it since'),
  })
  .partial();
export const logParams = z.object({
  port: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a port number')
    .transform(Number),
});
export const logResponse = z.object({
  success: z.boolean(),
  message: z.string(),
  container_name: z.string(),
  port: z.number().int(),
  log_content: z.string(),
});
