// The memory of request bodies is bounded, over real connections to a gateway, with doubles of the services.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withParty } from '@husky/runtime/rpc/party';
import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
import { afterAll, expect, test } from 'vitest';
import { createBodyBudget } from '../src/http/body-budget.ts';
import { bigBytes, bigOfAddress, chunk, KiB, start } from './body-clients.ts';

const telemetry = await startTelemetry('test', { edge: true });
afterAll(() => telemetry.shutdown());

/** Returns the sum of a counter's series that match. */
async function countOf(metric: string, labels: RegExp): Promise<number> {
  const series = (await telemetry.metricsText()).matchAll(new RegExp(`^${metric}\\{(.*)\\} (\\d+)`, 'gm'));
  return [...series].filter(([, text = '']) => labels.test(text)).reduce((sum, [, , value]) => sum + Number(value), 0);
}
const refusedSignIns = () => countOf('http_requests_refused_total', /class="sign-ins"/);
const answered = (status: number) => countOf('http_server_duration_count', new RegExp(`status="${status}"`));

const overloaded =
  /^HTTP\/1\.1 503 [\s\S]*More requests arrive than can be answered in time: please try again in some seconds/;
const fullAddresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];

test('refuses slow bodies of one address beyond its quarter of the budget, and answers everybody else', async () => {
  const { fill, get, signIn, postBig } = await start();
  const before = await refusedSignIns();
  const { refusals } = await fill('10.0.0.1', 5);
  expect(await refusedSignIns()).toBe(before + 5);
  for (const { closed, text } of refusals()) {
    expect(text).toMatch(overloaded);
    expect(text).toMatch(/\r\nRetry-After: [234]\r\n/);
    await closed;
  }
  expect((await postBig('10.0.0.1')).status).toBe(503);
  for (const address of ['10.0.0.1', '10.0.0.2']) {
    expect((await get(address)).status).toBe(200);
    expect((await signIn(address)).status).toBe(200);
  }
  expect((await postBig('10.0.0.2')).status).toBe(422);
  expect(refusals().length).toBe(5);
});

test('refuses bodies of every address while the budget is used up, and still answers reads and sign-ins', async () => {
  const { fill, get, signIn, postBig } = await start();
  const filled = await Promise.all(fullAddresses.map((address) => fill(address, 1)));
  const refused = await postBig('10.0.0.9');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ reason: 'overloaded' });
  expect((await get('10.0.0.9')).status).toBe(200);
  expect((await signIn('10.0.0.9')).status).toBe(200);
  for (const { open } of filled) for (const { socket } of open) socket.destroy();
  await expect.poll(async () => (await postBig('10.0.0.9')).status).toBe(422);
});

test('frees exactly what a body has taken when its client disconnects or its request has been answered', async () => {
  const { fill, connections } = await start();
  for (let round = 0; round < 5; round += 1) {
    const { open } = await fill('10.0.0.1', 1);
    for (const { socket } of open) socket.destroy();
    await expect.poll(connections).toBe(0);
  }
  expect(await answered(499)).toBeGreaterThanOrEqual(5 * bigOfAddress);
  expect(await answered(500)).toBe(0);
  for (let round = 0; round < 2; round += 1) {
    const { open, refusals } = await fill('10.0.0.1', 1);
    for (const request of open) {
      if (request.text === '') request.socket.write('1\r\n"\r\n0\r\n\r\n');
    }
    const answers = await Promise.all(open.map(({ answer }) => answer));
    expect(refusals().length).toBe(open.length);
    expect(answers.filter((text) => text.startsWith('HTTP/1.1 422 ')).length).toBe(bigOfAddress);
  }
});

test('reads and counts bodies while their callers are identified', async () => {
  const identified = Promise.withResolvers<void>();
  const { slowJson, postBig } = await start(identified.promise);
  const slow = Array.from({ length: bigOfAddress }, () => slowJson('10.0.0.1'));
  const withoutSession = async () => (await postBig('10.0.0.1', {})).status;
  await expect.poll(withoutSession).toBe(503);
  expect((await postBig('10.0.0.1')).status).toBe(503);
  identified.resolve();
  for (const { socket } of slow) socket.destroy();
  await expect.poll(withoutSession).toBe(422);
});

test('answers the refused caller of a body before its end, discards the rest and keeps the connection', async () => {
  const { send } = await start();
  const request = send('10.0.0.1', '/admin/settings', 'application/json', '"');
  expect(await request.answer).toMatch(/^HTTP\/1\.1 403 /);
  // More than the body's limit and the buffers of the connection take.
  for (let part = 0; part < 32; part += 1) chunk(request.socket, Buffer.alloc(KiB * KiB));
  request.socket.write('0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => request.text).toMatch(/HTTP\/1\.1 200 /);
});

test('keeps nothing of the bodies of refused callers', async () => {
  const identified = Promise.withResolvers<void>();
  const { send, postBig } = await start(identified.promise);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldMiB = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers / 2 ** 20;
  };
  const body = `"${'x'.repeat(bigBytes)}`;
  const requests = Array.from({ length: bigOfAddress }, () =>
    send('10.0.0.1', '/admin/settings', 'application/json', body),
  );
  await expect.poll(async () => (await postBig('10.0.0.1', {})).status).toBe(503);
  const held = heldMiB();
  identified.resolve();
  for (const { answer } of requests) expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
  // They had 16 MiB.
  await expect.poll(() => held - heldMiB()).toBeGreaterThan(12);
});

test('discards a body of the wrong type while its caller is identified', async () => {
  const identified = Promise.withResolvers<void>();
  const { send } = await start(identified.promise);
  const request = send('10.0.0.1', '/submission/upload', 'text/plain', 'x');
  for (let part = 0; part < 32; part += 1) chunk(request.socket, Buffer.alloc(KiB * KiB));
  await new Promise((resolve) => request.socket.write('0\r\n\r\n', resolve));
  identified.resolve();
  expect(await request.answer).toMatch(/^HTTP\/1\.1 415 /);
});

test('reads a body that arrives byte by byte', async () => {
  const { send } = await start();
  const { socket, answer } = send('10.0.0.1', '/auth/login', 'application/json', '');
  for (const character of JSON.stringify({ username: 'ann', password: 'a'.repeat(900) })) chunk(socket, character);
  socket.write('0\r\n\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('discards a body that the call does not read, while it is handled', async () => {
  const { send, release } = await start();
  const { socket, answer } = send('10.0.0.1', '/auth/resend-verification', 'text/plain', 'x');
  // More than the buffers of the connection take.
  for (let part = 0; part < 32; part += 1) chunk(socket, Buffer.alloc(KiB * KiB));
  await new Promise((resolve) => socket.write('1\r\nx\r\n', resolve));
  release();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('leaves an upload to each account when others hold the bodies of its address, within twice the share of the address', () => {
  const budget = createBodyBudget(() => undefined);
  const request = { resume: () => undefined, complete: true };
  const hold = (account: string, mebibytes: number) =>
    withParty({ account, address: 'one' }, () => {
      const body = budget.open({ req: request } as never, 'uploads').createBuffer();
      for (let part = 0; part < mebibytes; part += 1) body.append(Buffer.alloc(2 ** 20));
    });
  for (let body = 0; body < 16; body += 1) hold('', 1);
  expect(() => hold('', 1)).toThrow('More requests arrive');
  expect(() => hold('ann', 2)).not.toThrow();
  expect(() => hold('ann', 1)).toThrow('More requests arrive');
  const others = Array.from({ length: 20 }, (_, index) => `account ${index}`);
  const admitted = others.filter((account) => {
    try {
      hold(account, 2);
      return true;
    } catch {
      return false;
    }
  });
  expect(admitted.length).toBeGreaterThanOrEqual(5);
  expect(admitted.length).toBeLessThan(10);
});
