// The clock of a service against a real PostgreSQL, identities between services whose clocks differ, and connections while a clock is set.
import { authService } from '@husky/contracts/services';
import { openDatabaseClock } from '@husky/runtime/database/database-clock';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner } from '@husky/runtime/rpc/identity';
import { testDatabase, testIdentities, testNats } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

const hourMs = 3_600_000;

test('has the time of PostgreSQL, which a step of the machine clock does not move', async () => {
  const { admin, drop } = await testDatabase('auth');
  const clock = await openDatabaseClock(admin);
  const databaseMs = async () =>
    Number((await admin.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')).rows[0].ms);
  // Readings take some milliseconds each.
  const differenceMs = async () => Math.abs(clock.now() - (await databaseMs()));
  expect(await differenceMs()).toBeLessThan(60_000);
  for (const stepMs of [hourMs, -hourMs]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + stepMs });
    expect(await differenceMs()).toBeLessThan(60_000);
    await clock.read();
    expect(await differenceMs()).toBeLessThan(60_000);
    vi.useRealTimers();
  }
  await drop();
});

test('follows the clock of PostgreSQL, but ignores differences within the error of a reading', async () => {
  let monotonicMs = 0;
  let serverMs = 1_000_000;
  let takesMs = 0;
  const query = async () => {
    monotonicMs += takesMs;
    serverMs += takesMs;
    return { rows: [{ ms: serverMs - takesMs / 2 }] };
  };
  const clock = await openDatabaseClock({ query } as never, () => monotonicMs);
  expect(clock.now()).toBe(1_000_000);
  takesMs = 100;
  serverMs += 40;
  await clock.read();
  expect(clock.now()).toBe(1_000_100);
  takesMs = 10;
  await clock.read();
  expect(clock.now()).toBe(1_000_150);
  serverMs -= hourMs;
  await clock.read();
  expect(clock.now()).toBe(1_000_160 - hourMs);
});

const visitor = { caller: { kind: 'anonymous' } } as const;

/** Starts a service, and a client whose clock is ahead of the machine's by what `setClock` sets. */
async function startClient() {
  let aheadMs = 0;
  const auth = await startDouble(authService, anyone, { getKeys: async () => ({ jwksJson: '{}' }) });
  const signer = createSigner(testIdentities().keyFile('gateway'), () => Date.now() + aheadMs);
  const client = createRpcClient(authService, auth.address, signer);
  onTestFinished(async () => {
    client.close();
    await auth.stop();
  });
  return {
    call: () => client.getKeys({}, { ...visitor, timeoutMs: 20_000 }),
    callWith: (token: string) => client.getKeys({}, { token, timeoutMs: 20_000 }),
    signer,
    setClock: (ms: number) => {
      aheadMs = ms;
    },
  };
}

test('a service whose clock is behind gets UNAVAILABLE from the others until its clock is right', async () => {
  const { call, setClock } = await startClient();
  setClock(-hourMs);
  await expect(call()).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'identity-refused' });
  setClock(0);
  expect(await call()).toMatchObject({ jwksJson: '{}' });
});

test('a token that was signed with a wrong clock is not reused', async () => {
  const { signer, setClock } = await startClient();
  const sign = () => signer.sign('auth', visitor.caller);
  const right = await sign();
  expect(await sign()).toBe(right);
  setClock(hourMs);
  const ahead = await sign();
  expect(ahead).not.toBe(right);
  setClock(0);
  const again = await sign();
  expect(again).not.toBe(ahead);
  const seconds = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp;
  expect(Math.abs(seconds(again) - seconds(right))).toBeLessThan(60);
});

test('the refusal of a token of another caller is passed on as UNAUTHENTICATED', async () => {
  const { callWith, signer, setClock } = await startClient();
  setClock(-hourMs);
  await expect(callWith(await signer.sign('auth', visitor.caller))).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    reason: 'bad-identity',
  });
});

test('connects to NATS again at once after a clock that was an hour ahead is set back', async () => {
  const connected = await connectNats(await testNats('auth'), createLogger('test', 'silent'));
  onTestFinished(() => connected.close());
  const statuses: string[] = [];
  void (async () => {
    for await (const { type } of connected.connection.status()) statuses.push(type);
  })();
  const reconnects = () => statuses.filter((type) => type === 'reconnect').length;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + hourMs);
  onTestFinished(() => clock.mockRestore());
  await connected.connection.reconnect();
  await expect.poll(reconnects).toBe(1);
  clock.mockRestore();
  await connected.connection.reconnect();
  await expect.poll(reconnects).toBe(2);
  await connected.connection.flush();
});
