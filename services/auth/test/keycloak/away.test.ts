import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Caller } from '@husky/runtime/caller';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, anonymous, goodPassword, refusal, startAuth } from '../service.ts';

// Between auth and Keycloak: passes on, hangs, or is not there.
let mode: 'pass' | 'hang' = 'pass';
let port = 0;
let road: Server;
const open = new Set<Socket>();

async function openRoad(target: URL): Promise<void> {
  road = createServer((near) => {
    open.add(near);
    near.on('error', () => undefined).on('close', () => open.delete(near));
    if (mode === 'hang') return;
    const far = new Socket().connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  road.listen(port, '127.0.0.1');
  await once(road, 'listening');
  port = (road.address() as AddressInfo).port;
}

async function closeRoad(): Promise<void> {
  for (const socket of open) socket.destroy();
  const closed = once(road, 'close');
  road.close();
  await closed;
}

let auth: AuthUnderTest;
let token: string;
let caller: Caller;
let target: URL;
beforeAll(async () => {
  auth = await startAuth(async (config) => {
    if (!config.keycloak) throw new Error('this suite needs a Keycloak: make test-keycloak');
    target = new URL(config.keycloak.url);
    await openRoad(target);
    return { ...config, keycloak: { ...config.keycloak, internalUrl: `http://127.0.0.1:${port}` } };
  });
  token = (await auth.register('patient')).accessToken;
  caller = await auth.callerOf(token);
});
afterAll(async () => {
  await closeRoad();
  await auth.stop();
});

const away = /^UNAVAILABLE identity-away: Sign-in is not available right now/;
const calls: Record<string, () => Promise<unknown>> = {
  identify: () => auth.client.identify({ accessToken: token }, { caller: anonymous }),
  login: () => auth.client.login({ username: 'patient', password: goodPassword }, { caller: anonymous }),
  register: () => auth.register('impatient'),
  'list sessions': () => auth.client.listSessions({ accessToken: token }, { caller }),
};

async function expectAway(): Promise<void> {
  for (const [name, call] of Object.entries(calls)) expect(await refusal(call()), name).toMatch(away);
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: true });
  // What is public needs no identity.
  expect(await refusal(auth.client.getUser({ username: 'patient' }, { caller: anonymous }))).toBe('OK');
}

async function expectBack(): Promise<void> {
  expect(await auth.client.identify({ accessToken: token }, { caller: anonymous })).toMatchObject({
    username: 'patient',
  });
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: false });
}

test('says so while Keycloak is gone, and goes on when it is back', async () => {
  await expectBack();
  await closeRoad();
  await expectAway();
  await openRoad(target);
  await expectBack();
});

test('says so after five seconds while Keycloak does not answer', async () => {
  await closeRoad();
  mode = 'hang';
  await openRoad(target);
  await expectAway();
  await closeRoad();
  mode = 'pass';
  await openRoad(target);
  await expectBack();
});
