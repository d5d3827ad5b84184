// Leases while the clock of simulation's machine is wrong.
import { sql } from '@husky/runtime/database/sql';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, startService, user } from './start-service.ts';

const hourMs = 3_600_000;
const service = await startService({}, 1, { databaseClock: true });
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => service.stop());

test.each([3 * hourMs, -3 * hourMs])(
  'a clock that is wrong by %i ms neither ends a lease nor prolongs it',
  async (ms) => {
    const { id: jobId } = await service.gateway.createTestRun(bot, { caller: user() });
    const claimed = await service.mustClaim();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await sweep(service.context);
    const beat = await service.lease.heartbeat({ state: 'ACTIVE' }, { token: claimed.leaseToken });
    await sweep(service.context);
    vi.useRealTimers();
    expect(beat).toMatchObject({ cancel: false });
    expect(await service.gateway.getJob({ jobId }, { caller: admin })).toMatchObject({ status: 'RUNNING' });
    const { rows } = await service.pool.query<{ seconds: number }>(
      sql`SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS seconds FROM jobs WHERE id = ${jobId}`,
    );
    expect(rows[0]?.seconds).toSatisfy((seconds: number) => seconds > 0 && seconds <= 31);
    expect(await service.accept(claimed)).toEqual({ accepted: true, acceptedAttempt: 1 });
  },
);
