// The duration of a request begins with its arrival and includes its wait for a slot.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@husky/runtime/process/logger';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createAdmissions } from '../src/http/admission.ts';
import { observe } from '../src/http/observe.ts';

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
