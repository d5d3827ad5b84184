import { linkIn } from '@husky/testkit/mail-folder';
import { expect, test } from 'vitest';
import { call, expectStatus, get, mailTo, post, register, uniqueName } from './client.ts';

test('changes the address once by the link mailed to the new address, and keeps the session', async () => {
  const { username, token, password } = await register();
  const address = `${username}@moved.invalid`;
  const body = { current_password: password, new_email: address };
  expect(expectStatus(await post('/auth/change-email', body, token), 200).message).toContain('the new address');
  expect((await post('/auth/change-email', body, token)).status).toBe(429);
  const link = linkIn(await mailTo(address, '/auth/change-email/'), '/auth/change-email/');
  await mailTo(`${username}@test.invalid`, 'address is to change');
  expect(expectStatus(await get('/auth/whoami', token), 200).email).toBe(`${username}@test.invalid`);
  // HEAD, which mail programs send, does not redeem the link.
  expect((await call('HEAD', link)).status).toBe(302);
  const first = await call('GET', link, { headers: { accept: 'text/html' } });
  expect([first.status, first.headers.get('location')]).toEqual([302, '/verification-success?for=new-address']);
  const second = await get(link);
  expect(second.headers.get('location')).toBe('/verification-success?for=new-address&error=invalid');
  expect(expectStatus(await get('/auth/whoami', token), 200)).toMatchObject({ email: address, is_verified: true });
});

test('refuses a wrong password, invalid addresses and callers without a session', async () => {
  const { username, token, password } = await register(uniqueName('stays'));
  const change = (new_email: unknown, current_password = password) =>
    post('/auth/change-email', { current_password, new_email }, token);
  expect(await change('other@test.invalid', 'wrong wrong wrong')).toMatchObject({
    status: 400,
    body: { reason: 'wrong-password' },
  });
  for (const bad of ['nobody', 'a@test.invalid\r\nBcc: b@test.invalid', `${'x'.repeat(250)}@test.invalid`, 7, null]) {
    expect((await change(bad)).status, String(bad)).toBe(422);
  }
  expect((await change(`${username.toUpperCase()}@test.invalid`)).body.reason).toBe('email-unchanged');
  expect((await post('/auth/change-email', { current_password: 'x', new_email: 'a@b.co' })).status).toBe(401);
});

test('refuses passwords that are known to be stolen and says why', async () => {
  const detail = 'This password is in lists of stolen passwords. Choose another one.';
  const name = uniqueName('weak');
  const bad = { username: name, email: `${name}@test.invalid`, password: 'Password123!' };
  expect(await post('/auth/register', bad)).toMatchObject({ status: 400, body: { detail, reason: 'password-stolen' } });
  const { token, password } = await register();
  const change = { current_password: password, new_password: 'iloveyou1' };
  expect(await post('/auth/change-password', change, token)).toMatchObject({ status: 400, body: { detail } });
});
