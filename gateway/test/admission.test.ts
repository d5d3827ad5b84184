// A gateway without a free slot, over real connections, with doubles of the services.
import { EventEmitter } from 'node:events';
import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAdaptiveSlots, createAdmissions } from '../src/http/admission.ts';
import { startEdge } from './edge.ts';

/** Starts a gateway with `slots`, and an auth service that returns its keys only after `release`. */
async function startBusy(slots: number) {
  let release: () => void = () => undefined;
  let waiting = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const auth = await startDouble(authService, anyone, {
    async getKeys() {
      waiting += 1;
      await released;
      return { jwksJson: '{}' };
    },
  });
  const { origin, stop } = await startEdge(
    { auth: auth.address },
    { settings: { MAX_CONCURRENT_REQUESTS: slots, corsOrigins: ['https://other.example'] } },
  );
  onTestFinished(async () => {
    release();
    await stop();
    await auth.stop();
  });
  const read = (signal?: AbortSignal) =>
    fetch(`${origin}/.well-known/jwks.json`, {
      headers: { origin: 'https://other.example' },
      ...(signal ? { signal } : {}),
    });
  return { origin, read, release: () => release(), waiting: () => waiting };
}

test('refuses with 503, a sentence and Retry-After when no slot is free', async () => {
  const { read, release, waiting } = await startBusy(2);
  const admitted = [read(), read()];
  await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
  const refused = await read();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://other.example');
  expect(await refused.json()).toEqual({
    detail: 'More requests arrive than can be answered in time: please try again in some seconds',
    reason: 'overloaded',
  });
  release();
  expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await read()).status).toBe(200);
});

test('serves probes while no slot is free', async () => {
  const { origin, read, release, waiting } = await startBusy(1);
  const admitted = read();
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  release();
  await admitted;
});

test('gives no slot to a write that is still being sent', async () => {
  const { origin, read, release, waiting } = await startBusy(1);
  release();
  const abort = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"username":')) });
  const headers = { 'content-type': 'application/json' };
  const slow = { method: 'POST', headers, body, duplex: 'half', signal: abort.signal } as RequestInit;
  const sending = fetch(`${origin}/auth/login`, slow).catch(() => 'aborted');
  expect((await read()).status).toBe(200);
  expect(waiting()).toBe(1);
  abort.abort();
  expect(await sending).toBe('aborted');
});

test('discards the body of a read that waits for a slot', async () => {
  const { reads } = createAdmissions({ MAX_CONCURRENT_REQUESTS: 1 });
  const admitted = Promise.withResolvers<void>();
  const discarded = vi.fn();
  const req = { headers: { 'transfer-encoding': 'chunked' }, resume: discarded };
  const ctx = {
    method: 'GET',
    path: '/',
    req,
    res: new EventEmitter(),
    state: {},
    get: () => '',
    set: () => undefined,
  };
  const arrived = [1, 2].map(() => reads({ ...ctx } as never, () => admitted.promise));
  expect(discarded).toHaveBeenCalledTimes(2);
  admitted.resolve();
  await Promise.all(arrived);
});

test('the slots decrease while reads are slow, less without overload, and increase again', () => {
  let nowMs = 0;
  const slots = createAdaptiveSlots(128, () => nowMs);
  const period = (durationMs: number, perSecond: number, running = slots.current) => {
    for (let read = 0; read < 100; read++) {
      nowMs += 1000 / perSecond;
      slots.countArrival();
      slots.record(durationMs, running);
    }
  };
  for (let at = 0; at < 20; at++) period(500, 400);
  expect(slots.current).toBe(8);
  period(500, 20);
  expect(slots.current).toBe(64);
  for (let at = 0; at < 100; at++) period(5, 400);
  expect(slots.current).toBe(128);
  for (let at = 0; at < 20; at++) period(500, 400, 3);
  expect(slots.current, 'a few slow reads').toBe(128);
});
