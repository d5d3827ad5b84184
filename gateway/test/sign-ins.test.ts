// What the gateway tells auth about the origin of a sign-in.
import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';
import { startEdge } from './edge.ts';

async function start() {
  const devices: string[] = [];
  const auth = await startDouble(authService, anyone, {
    async login({ username, device }) {
      devices.push(device);
      return { accessToken: `token of ${username}`, expiresIn: 60, user: { id: username, username } };
    },
    resetPassword: async () => ({ id: 'ann', username: 'Ann' }),
  });
  const { origin, stop } = await startEdge({ auth: auth.address });
  onTestFinished(async () => {
    await stop();
    await auth.stop();
  });
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie };
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.headers.getSetCookie()[0] ?? '';
  };
  const cookieOf = (header: string) => header.split(';')[0] ?? '';
  return {
    devices,
    /** Signs in and returns the cookie that the browser has then. */
    signIn: async (username: string, cookie = '') =>
      cookieOf(await post('/auth/login', { username, password: 'a password' }, cookie)),
    post,
    cookieOf,
  };
}

test('recognises a browser in which the name has signed in, and no forged or other one', async () => {
  const { devices, signIn } = await start();
  const ofAnn = await signIn('Ann');
  const both = await signIn('bob', `other=1; ${ofAnn}`);
  const [id, mac, name = ''] = ofAnn.split('=')[1]?.split('.') ?? [];
  await signIn('ann', both);
  await signIn('bob', both);
  const forged = [ofAnn, '', `husky_device=${id}`, `husky_device=${id}.${mac}`, `husky_device=${mac}.${id}.${name}`];
  for (const cookie of forged) await signIn('bob', cookie);
  await signIn('ann', `husky_device=other.${mac}.${name}`);
  expect(devices).toEqual(['', '', id, id, '', '', '', '', '', '']);
});

test('keeps the five names that signed in last, and a mailed link proves its owner too', async () => {
  const { devices, signIn, post, cookieOf } = await start();
  let cookie = await signIn('ann');
  for (const name of ['b', 'c', 'd', 'e', 'f']) cookie = await signIn(name, cookie);
  await signIn('ann', cookie);
  const header = await post('/auth/reset-password', { token: 'mailed', new_password: 'another password' });
  expect(header).toMatch(/^husky_device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/);
  await signIn('ann', cookieOf(header));
  expect(devices.slice(-2)).toEqual(['', expect.stringMatching(/^[\w-]{22}$/)]);
});
