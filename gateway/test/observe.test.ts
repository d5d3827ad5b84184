// The duration of a request begins with its arrival and includes its wait for a slot.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { authService, leaderboardService, liveDataService } from '@husky/contracts/services';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { startDouble } from '@husky/testkit/service-double';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmissions } from '../src/http/admission.ts';
import { observe } from '../src/http/observe.ts';
import { createReadiness } from '../src/readiness.ts';
import { startEdge } from './edge.ts';

const telemetry = await startTelemetry('test', { edge: true });

test('records the time since the arrival, with the wait for a slot', async () => {
  onTestFinished(() => telemetry.shutdown());
  const app = new Koa();
  const free = Promise.withResolvers<void>();
  let running = 0;
  app.use(createAdmissions({ MAX_CONCURRENT_REQUESTS: 1 }).reads);
  app.use(observe(createLogger('test', 'silent')));
  app.use(async (ctx) => {
    ctx.state.route = ctx.path;
    running += 1;
    await free.promise;
    ctx.body = 'answered';
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const arrivedMs: number[] = [];
  server.on('request', () => void arrivedMs.push(performance.now()));
  const read = (path: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers: { connection: 'close' } });
  const first = read('/first');
  await expect.poll(() => running).toBe(1);
  const second = read('/second');
  await expect.poll(() => performance.now() - (arrivedMs[1] ?? Infinity), { interval: 5 }).toBeGreaterThan(30);
  free.resolve();
  await first;
  // On a busy machine it is refused before the slot is free.
  if ((await second).status === 503) return;
  const [, sum] =
    /^http_server_duration_sum\{[^}]*route="\/second"[^}]*\} ([\d.]+)$/m.exec(await telemetry.metricsText()) ?? [];
  expect(Number(sum)).toBeGreaterThan(30);
});

async function startLiveData() {
  let calls = 0;
  const liveData = await startDouble(liveDataService, anyone, {
    async listMatches() {
      calls += 1;
      return { matches: [], total: 0 };
    },
  });
  onTestFinished(() => liveData.stop());
  return { address: liveData.address, stop: () => liveData.stop(), calls: () => calls };
}

async function edgeWith(services: Parameters<typeof startEdge>[0], settings = {}) {
  const edge = await startEdge(services, { settings });
  onTestFinished(() => edge.stop());
  return edge;
}

test('the gateway is not ready before it has reached all services, after the grace period one of them', async () => {
  const { context } = await edgeWith({});
  await expect(createReadiness(context, 0)()).rejects.toThrow(/^services do not answer: .+; .+; /);
  const liveData = await startLiveData();
  const some = await edgeWith({ liveData: liveData.address });
  await expect(createReadiness(some.context)()).rejects.toThrow(/^services do not answer: [^;]+; [^;]+$/);
});

test('the gateway stays ready without auth and reports that in a note', async () => {
  const liveData = await startLiveData();
  const { context } = await edgeWith({ liveData: liveData.address });
  const check = createReadiness(context, 0);
  expect(await check()).toMatch(/^without auth: /);
  await liveData.stop();
  expect(await check()).toMatch(/^without auth: /);
});

test('/readyz names what is unavailable, and concurrent requests share one check', async () => {
  const liveData = await startLiveData();
  const auth = await startDouble(authService, anyone, {
    getKeys: async () => ({ jwksJson: '{}', identityAway: false }),
  });
  const leaderboard = await startDouble(leaderboardService, anyone, { getTop: async () => ({}) });
  onTestFinished(async () => {
    await Promise.all([auth.stop(), leaderboard.stop()]);
  });
  const whole = await edgeWith({ liveData: liveData.address, auth: auth.address, leaderboard: leaderboard.address });
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${whole.origin}/readyz`)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(liveData.calls()).toBeLessThan(20);
  const part = await edgeWith({ liveData: liveData.address });
  const response = await fetch(`${part.origin}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: expect.stringMatching(/^not ready: /) });
});

test('/readyz counts towards the rate limit, and /metrics can be restricted to the ops port', async () => {
  const edge = await edgeWith({}, { RATE_LIMIT_READS: 2, METRICS_ON_SITE: false });
  const statuses: number[] = [];
  for (let request = 0; request < 3; request++) statuses.push((await fetch(`${edge.origin}/readyz`)).status);
  expect(statuses).toEqual([503, 503, 429]);
  const open = await edgeWith({});
  const hidden = await edgeWith({}, { METRICS_ON_SITE: false });
  expect((await fetch(`${open.origin}/metrics`)).status).toBe(200);
  expect((await fetch(`${hidden.origin}/metrics`)).status).toBe(404);
});
