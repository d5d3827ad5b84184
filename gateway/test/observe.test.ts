// The duration of a request begins with its arrival and includes its wait for a slot.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authService, leaderboardService, liveDataService } from '@husky/contracts/services';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { startDouble } from '@husky/testkit/service-double';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmissions } from '../src/http/admission.ts';
import { msSinceArrival, noteArrival } from '../src/http/arrival.ts';
import { observe } from '../src/http/observe.ts';
import { createReadiness } from '../src/readiness.ts';
import { startEdge } from './edge.ts';

const telemetry = await startTelemetry('test', { edge: true });

const ignore = () => undefined;

/** Lets some of the machine's time pass. */
async function spend(ms: number): Promise<number> {
  const startedMs = performance.now();
  await expect.poll(() => performance.now() - startedMs, { interval: 5 }).toBeGreaterThan(ms);
  return performance.now() - startedMs;
}

test('records the time since the arrival', async () => {
  onTestFinished(() => telemetry.shutdown());
  const app = new Koa();
  app.use(observe(createLogger('test', 'silent')));
  app.use((ctx) => {
    ctx.body = 'answered';
  });
  let waitedMs = 0;
  const server = createServer((request, response) => {
    noteArrival(request);
    void spend(30).then((ms) => {
      waitedMs = ms;
      return app.callback()(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers: { connection: 'close' } });
  const [, sum] =
    /^http_server_duration_sum\{[^}]*status="200"[^}]*\} ([\d.]+)$/m.exec(await telemetry.metricsText()) ?? [];
  expect(Number(sum)).toBeGreaterThanOrEqual(waitedMs);
});

/** Lets a second read wait for the slot of a first one. Returns how long it waited and its time since arrival; undefined if it was refused. */
async function waitForSlot(): Promise<{ readonly waitedMs: number; readonly sinceArrivalMs: number } | undefined> {
  const admissions = createAdmissions({ MAX_CONCURRENT_REQUESTS: 1, MAX_CONCURRENT_UPLOADS: 0 });
  const free = Promise.withResolvers<void>();
  const seenMs: number[] = [];
  const handle = admissions.reads(async (request) => {
    seenMs.push(msSinceArrival(request));
    await free.promise;
  }, []);
  const read = () =>
    handle(
      { method: 'GET', url: '/', headers: {} } as IncomingMessage,
      Object.assign(new EventEmitter(), {
        setHeader: ignore,
        writeHead: ignore,
        end: ignore,
      }) as unknown as ServerResponse,
    );
  const first = read();
  await expect.poll(() => seenMs.length).toBe(1);
  const second = read();
  const waitedMs = await spend(20);
  free.resolve();
  await Promise.all([first, second]);
  const [, sinceArrivalMs] = seenMs;
  return sinceArrivalMs === undefined ? undefined : { waitedMs, sinceArrivalMs };
}

test('a read that waits for a slot has arrived before', async () => {
  let outcome: Awaited<ReturnType<typeof waitForSlot>>;
  // On a busy machine it is refused before the slot is free.
  while (outcome === undefined) outcome = await waitForSlot();
  expect(outcome.sinceArrivalMs).toBeGreaterThanOrEqual(outcome.waitedMs);
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
