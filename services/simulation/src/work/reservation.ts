import { repeat } from '@husky/runtime/process/repeat';
import type { Context } from '../context.ts';

/** For how long a job or batch is reserved at a time for the process that works on it, in ms: it is due again so soon after that process died. */
export const reservedMs = 30_000;
const renewMs = 10_000;

/** What was taken at a time in ms since the epoch is worked on by `work`. Meanwhile `renew` prolongs its reservation, from its present end to another. */
export async function whileReserved<T>(
  { log, now }: Pick<Context, 'log' | 'now'>,
  takenAt: number,
  renew: (from: number, to: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let until = takenAt + reservedMs;
  const renewing = repeat('renewing a reservation', renewMs, log, async () => {
    const next = now() + reservedMs;
    if (next - until < renewMs / 2) return;
    await renew(until, next);
    until = next;
  });
  try {
    return await work();
  } finally {
    await renewing.stop();
  }
}
