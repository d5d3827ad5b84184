// Identities between services whose clocks differ, and connections while a clock is set.
import { authService } from '@husky/contracts/services';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner } from '@husky/runtime/rpc/identity';
import { testIdentities, testNats } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';

const visitor = { caller: { kind: 'anonymous' } } as const;
const hourMs = 3_600_000;

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
