import { linkIn } from '@husky/testkit/mail-folder';
import { expect, test } from 'vitest';
import * as client from './client.ts';

test('registers, mails a link that verifies once, and signs in and out', async () => {
  const { username, token, password } = await client.register();
  const me = client.expectStatus(await client.get('/auth/whoami', token), 200);
  expect(me).toMatchObject({
    username,
    is_verified: false,
    admin: false,
    name: null,
    email: `${username}@test.invalid`,
  });
  expect((await client.get('/submission/list', token)).status).toBe(403);

  const link = linkIn(await client.mailTo(`${username}@test.invalid`, '/auth/verify-email/'), '/auth/verify-email/');
  expect(link).not.toBe('');
  const first = await client.get(link);
  expect([first.status, first.headers.get('location')]).toEqual([302, '/verification-success']);
  const second = await client.get(link);
  expect(second.headers.get('location')).toBe('/verification-success?error=invalid');
  expect(client.expectStatus(await client.get('/auth/whoami', token), 200).is_verified).toBe(true);
  expect((await client.post('/auth/resend-verification', undefined, token)).status).toBe(400);

  const session = client.expectStatus(await client.post('/auth/login', { username, password }), 200);
  expect(session).toMatchObject({ token_type: 'bearer' });
  client.expectStatus(await client.post('/auth/logout', { token: session.access_token }, session.access_token), 200);
  expect((await client.get('/auth/whoami', session.access_token)).status).toBe(401);
  expect((await client.get('/auth/whoami', token)).status).toBe(200);
});

test('refuses bad registrations and sign-ins with a one-sentence reason', async () => {
  const { username } = await client.register();
  const password = 'a long enough passphrase';
  const taken = await client.post('/auth/register', {
    username: username.toUpperCase(),
    email: 'x@test.invalid',
    password,
  });
  expect(taken.status).toBe(400);
  expect(typeof taken.body.detail).toBe('string');
  const reserved = await client.post('/auth/register', { username: 'house', email: 'h@test.invalid', password });
  expect(reserved.status).toBe(400);
  const schema = await client.post('/auth/register', { username: 'x', email: 'no', password });
  expect(schema.status).toBe(422);
  expect(schema.body.errors.length).toBeGreaterThan(0);
  const unknown = await client.post('/auth/login', { username: 'nobody-at-all', password });
  const wrong = await client.post('/auth/login', { username, password: 'wrong wrong wrong' });
  expect([unknown.status, unknown.body.detail]).toEqual([401, 'Invalid credentials']);
  expect([wrong.status, wrong.body.detail]).toEqual([401, 'Invalid credentials']);
});

test('an address with an international domain is one account in Unicode and in ASCII', async () => {
  const username = client.uniqueName('reader');
  const password = 'a long enough passphrase';
  const form = { username, email: `${username}@bücher.test.invalid`, password };
  const { access_token: token } = client.expectStatus(await client.post('/auth/register', form), 201);
  const email = `${username}@xn--bcher-kva.test.invalid`;
  const shown = { email, email_unicode: form.email };
  expect(client.expectStatus(await client.get('/auth/whoami', token), 200)).toMatchObject(shown);
  expect(client.expectStatus(await client.get(`/profile/${username}`, token), 200).profile).toMatchObject(shown);
  expect(await client.mailTo(email, '/auth/verify-email/')).toContain(username);
  for (const taken of [email, form.email.toUpperCase()]) {
    const other = { username: client.uniqueName('reader'), email: taken, password };
    expect(client.expectStatus(await client.post('/auth/register', other), 400).reason).toBe('email-taken');
  }
  const local = { username: client.uniqueName('reader'), email: 'üser@test.invalid', password };
  expect(client.expectStatus(await client.post('/auth/register', local), 400).detail).toContain('before the @');
  const staff = { username: 'husky-support', email: 's@test.invalid', password };
  expect(client.expectStatus(await client.post('/auth/register', staff), 400).reason).toBe('username-reserved');
});

test('limits resending the verification mail to one in 60 s', async () => {
  const { token } = await client.register();
  const again = await client.post('/auth/resend-verification', undefined, token);
  expect(again.status).toBe(429);
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('shows the e-mail address of a profile only to its owner and admins, and finds users', async () => {
  const owner = await client.registerVerified(client.uniqueName('ada'));
  const other = await client.registerVerified();
  const change = { name: 'Ada L.', github: 'ada', discord_username: null, about: 'I write bots.' };
  client.expectStatus(await client.post('/user/update', change, owner.token), 200);
  expect(client.expectStatus(await client.get('/profile', owner.token), 200).profile).toMatchObject({
    name: 'Ada L.',
    email: `${owner.username}@test.invalid`,
  });
  const asOther = client.expectStatus(await client.get(`/profile/${owner.username}`, other.token), 200);
  expect(asOther.profile.email).toBeUndefined();
  expect(asOther.leaderboard_entries).toEqual([]);
  expect(client.expectStatus(await client.get(`/profile/${owner.username}`), 200).profile.about).toBe('I write bots.');
  expect((await client.get('/profile/no-such-user')).status).toBe(404);
  const found = client.expectStatus(await client.get(`/user/search?q=${owner.username.slice(0, 8)}`, other.token), 200);
  expect(found.map((user: { username: string }) => user.username)).toContain(owner.username);
  const page = client.expectStatus(await client.get('/user/all?page=1&page_size=2', other.token), 200);
  expect(page.users.length).toBe(2);
  expect(page.total_pages).toBe(Math.ceil(page.total / 2));
  expect((await client.get('/user/all?page_size=100000', other.token)).status).toBe(422);
});

test('lets admins change the roles of others but not their own, with immediate effect', async () => {
  const admin = await client.adminToken();
  const { username, token } = await client.registerVerified();
  expect((await client.get('/admin/users', token)).status).toBe(403);
  expect(client.expectStatus(await client.post(`/admin/toggle-admin/${username}`, undefined, admin), 200)).toEqual({
    admin: true,
  });
  client.expectStatus(await client.get('/admin/users', token), 200);
  client.expectStatus(await client.post(`/admin/toggle-admin/${username}`, undefined, admin), 200);
  expect((await client.get('/admin/users', token)).status).toBe(403);
  expect((await client.post('/admin/toggle-admin/admin', undefined, admin)).status).toBe(400);
  expect((await client.post('/admin/verify-user/admin', undefined, admin)).status).toBe(400);
  expect((await client.remove('/admin/user/admin', admin)).status).toBe(400);
  client.expectStatus(await client.remove(`/admin/user/${username}`, admin), 200);
  expect((await client.get('/auth/whoami', token)).status).toBe(401);
  expect((await client.get(`/profile/${username}`)).status).toBe(404);
  const again = await client.post('/auth/register', {
    username,
    email: 'new@test.invalid',
    password: 'a long enough passphrase',
  });
  expect(again.status).toBe(400);
});

test('refuses wrong methods, content types, sizes and paths, and serves pages to browsers', async () => {
  const wrongMethod = await client.call('DELETE', '/auth/login');
  expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
  const headers = { 'content-type': 'text/plain' };
  expect((await client.call('POST', '/auth/login', { headers, json: {} })).status).toBe(415);
  expect((await client.post('/auth/login', { username: 'x'.repeat(300_000), password: 'y' })).status).toBe(413);
  expect((await client.get('/no/such/path')).body).toMatchObject({ detail: 'Not Found' });
  const html = { headers: { accept: 'text/html' } };
  const page = await client.call('GET', '/leaderboard', html);
  expect([page.status, page.headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
  expect((await client.call('GET', '/no-such-page', html)).status).toBe(404);
  const document = client.expectStatus(await client.get('/openapi.json'), 200);
  expect(document.openapi).toBe('3.1.0');
  expect(client.expectStatus(await client.get('/.well-known/jwks.json'), 200).keys.length).toBeGreaterThan(0);
});

test('accepts or delays concurrent sign-ins of one account, without failures', async () => {
  const { username, password } = await client.register();
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => client.post('/auth/login', { username, password })),
  );
  expect(responses.map((response) => response.status).filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(responses.some((response) => response.status === 200)).toBe(true);
});
