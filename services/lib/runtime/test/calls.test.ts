// Deadlines, cancellation and the limit on visitors' calls, over a real gRPC server.
import { authService, liveDataService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { outsideOfCall, withinCall } from '@husky/runtime/rpc/call-context';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { currentParty, type Party, withParty } from '@husky/runtime/rpc/party';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a server whose responses wait for `release`, and clients of it. */
async function startBlockedServer() {
  const gate = Promise.withResolvers<void>();
  let started = 0;
  let cancelled = 0;
  const auth = await startDouble(authService, anyone, {
    async getKeys(_request, { signal }) {
      started += 1;
      signal.addEventListener('abort', () => {
        cancelled += 1;
      });
      await Promise.race([gate.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return { jwksJson: '{}' };
    },
  });
  const client = createRpcClient(authService, auth.address, testIdentities().signerOf('gateway'));
  const service = createRpcClient(authService, auth.address, testIdentities().signerOf('simulation'));
  onTestFinished(async () => {
    gate.resolve();
    client.close();
    service.close();
    await auth.stop();
  });
  const call = () => client.getKeys({}, { caller: { kind: 'anonymous' }, timeoutMs: 20_000 });
  const callAsService = () => service.getKeys({}, { timeoutMs: 20_000 });
  return { call, callAsService, release: () => gate.resolve(), started: () => started, cancelled: () => cancelled };
}

test('a call ends with the deadline of the call in which it is made', async () => {
  const { call } = await startBlockedServer();
  const refused = await withinCall({ deadlineMs: Date.now() + 200 }, () => call().catch((error: unknown) => error));
  expect(refused).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
});

test('a disconnected client cancels the calls of its request, and the service sees it', async () => {
  const { call, started, cancelled } = await startBlockedServer();
  const client = new AbortController();
  const calling = withinCall({ signal: client.signal }, () => call().catch((error: unknown) => error));
  await expect.poll(started, { timeout: 20_000 }).toBe(1);
  client.abort();
  expect(await calling).toMatchObject({ code: 'CANCELLED' });
  await expect.poll(cancelled, { timeout: 20_000 }).toBe(1);
});

test('work that several callers share, or that continues after its call, is not cancelled', async () => {
  const { call, started, release } = await startBlockedServer();
  const client = new AbortController();
  let shared: Promise<unknown> | undefined;
  let later: (() => Promise<unknown>) | undefined;
  await withinCall({ signal: client.signal, deadlineMs: Date.now() + 60_000 }, async () => {
    shared = outsideOfCall(() => call());
    later = () => call();
  });
  const afterwards = later?.();
  client.abort();
  await expect.poll(started, { timeout: 20_000 }).toBe(2);
  release();
  expect(await Promise.all([shared, afterwards])).toMatchObject([{ jwksJson: '{}' }, { jwksJson: '{}' }]);
});

test('a flood of visitors is refused with a time to retry, and services are still served', async () => {
  const { call, callAsService, started, release } = await startBlockedServer();
  const visitors = Array.from({ length: 400 }, () => call().catch((error: unknown) => error));
  await expect.poll(started, { timeout: 20_000 }).toBe(64);
  const service = callAsService();
  await expect.poll(started, { timeout: 20_000 }).toBe(65);
  const early: unknown = await Promise.race(visitors);
  expect(early).toMatchObject({ code: 'UNAVAILABLE', reason: 'overloaded' });
  expect((early as { retryAfterS: number }).retryAfterS).toBeGreaterThanOrEqual(1);
  release();
  expect(await service).toMatchObject({ jwksJson: '{}' });
  const outcomes = await Promise.all(visitors);
  expect(outcomes.filter((outcome) => !(outcome instanceof Error)).length).toBeGreaterThanOrEqual(64);
});

test('streams of visitors pass the limit too, until their first message; those of services are not limited', async () => {
  const first = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let started = 0;
  const liveData = await startDouble(liveDataService, anyone, {
    async *streamMatch() {
      started += 1;
      await first.promise;
      yield { attempt: 1 };
      await end.promise;
    },
  });
  const gateway = createRpcClient(liveDataService, liveData.address, testIdentities().signerOf('gateway'));
  const service = createRpcClient(liveDataService, liveData.address, testIdentities().signerOf('simulation'));
  onTestFinished(async () => {
    first.resolve();
    end.resolve();
    gateway.close();
    service.close();
    await liveData.stop();
  });
  let ended = 0;
  const watch = async (client: typeof gateway, caller?: { kind: 'anonymous' }) => {
    const messages = client.streamMatch({}, caller ? { caller } : {});
    try {
      for await (const _ of messages);
    } catch {
      // Refused.
    }
    ended += 1;
  };
  const visitors = Array.from({ length: 70 }, () => watch(gateway, { kind: 'anonymous' }));
  await expect.poll(() => started, { timeout: 20_000 }).toBe(64);
  const ofService = watch(service);
  await expect.poll(() => started, { timeout: 20_000 }).toBe(65);
  first.resolve();
  // The first messages free the places of those that wait, if they have not been refused meanwhile.
  await expect.poll(() => started + ended, { timeout: 20_000 }).toBe(71);
  end.resolve();
  await Promise.all([...visitors, ofService]);
});

test('services learn for whom a call is made, also through another service, and no caller speaks for another account', async () => {
  const parties: Party[] = [];
  const auth = await startDouble(authService, anyone, {
    async getKeys() {
      parties.push(currentParty());
      return { jwksJson: '{}' };
    },
  });
  const clients = ['gateway', 'simulation'].map((name) =>
    createRpcClient(authService, auth.address, testIdentities().signerOf(name)),
  );
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await auth.stop();
  });
  const [gateway, simulation] = clients;
  const caller = { kind: 'user', id: 'ann', username: 'ann', admin: false, verified: true } as const;
  const party = { account: 'bob', address: 'home' };
  await withParty(party, async () => {
    await gateway?.getKeys({}, { caller });
    await simulation?.getKeys({});
  });
  await withParty({ account: 'b o b', address: '' }, async () => simulation?.getKeys({}));
  expect(parties).toEqual([{ account: 'ann', address: 'home' }, party, { account: '', address: '' }]);
});
