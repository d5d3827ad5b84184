import { z } from 'zod';

const container = z
  .object({ container_name: z.string(), port: z.number().int(), state: z.string(), job_id: z.string().nullable() })
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
const integer = z
  .string()
  .regex(/^-?\d{1,9}$/, 'must be an integer')
  .transform(Number);
export const scaleQuery = z.object({ target_size: integer });
export const scaleResponse = z.object({ success: z.boolean(), job_id: z.string(), message: z.string() });
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
