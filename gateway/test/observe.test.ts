// The duration of a request begins with its arrival and includes its wait for a slot.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@husky/runtime/process/logger';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmissions } from '../src/http/admission.ts';
import { msSinceArrival, noteArrival } from '../src/http/arrival.ts';
import { observe } from '../src/http/observe.ts';

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
