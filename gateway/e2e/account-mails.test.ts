// The change of an e-mail address, and user input, which must not add headers, recipients or mails.
import { linkIn } from '@husky/testkit/mail-folder';
import { expect, inject, test } from 'vitest';
import {
  allMails,
  botFiles,
  call,
  expectStatus,
  get,
  mailTo,
  post,
  register,
  registerVerified,
  uniqueName,
  uploadForm,
} from './client.ts';

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

const spy = 'spy@evil.invalid';
const injected: [how: string, make: (good: string) => string][] = [
  ['CRLF and a header', (good) => `${good}\r\nBcc: ${spy}`],
  ['LF and a header', (good) => `${good}\nBcc: ${spy}`],
  ['CR and a header', (good) => `${good}\rBcc: ${spy}`],
  ['a folded header', (good) => `${good}\r\n\tBcc: ${spy}`],
  ['a header before it', (good) => `Bcc: ${spy}\r\n${good}`],
  ['the end of the headers', (good) => `${good}\r\n\r\nClick ${spy}`],
  ['a null character', (good) => `${good}\0\r\nBcc: ${spy}`],
  ['line separators of Unicode', (good) => `${good}\u2028Bcc: ${spy}\u0085`],
  ['an SMTP command', (good) => `${good}>\r\nRCPT TO:<${spy}>`],
];
const addresses: typeof injected = [
  ...injected,
  ['a second address', (good) => `${good}, ${spy}`],
  ['a second address after a semicolon', (good) => `${good};${spy}`],
  ['a display name', () => `Friend <${spy}>`],
  ['a quoted local part', () => `"x\r\nBcc: ${spy}"@test.invalid`],
  ['a comment', (good) => `${good}(${spy})`],
  ['an escaped line end', (good) => `${good}%0d%0aBcc:${spy}`],
  ['an encoded word', () => `=?utf-8?q?a=0d=0aBcc:_${spy}?=@test.invalid`],
];

const password = 'a long enough passphrase';
const refused = [400, 422];

/** Returns the headers of every sent mail, unfolded. */
function headers(): string[] {
  return allMails().map((mail) => mail.split(/\r?\n\r?\n/)[0] ?? '');
}

test.each(addresses)('refuses registration with an e-mail address with %s', async (_how, make) => {
  const username = uniqueName('inject');
  const body = { username, password, email: make(`${username}@test.invalid`) };
  expect(refused).toContain((await post('/auth/register', body)).status);
  expect((await post('/auth/login', { username, password })).status).toBe(401);
});

test.each(injected)('refuses registration with a username or a one-line profile field with %s', async (_how, make) => {
  for (const field of ['username', 'name', 'discord_username']) {
    const username = uniqueName('inject');
    const good = { username, email: `${username}@test.invalid`, password };
    const response = await post('/auth/register', { ...good, [field]: make(username) });
    expect(refused, `${field}: ${JSON.stringify(response.body)}`).toContain(response.status);
  }
});

test('refuses line breaks in the name of a profile, and mails nobody when a password reset names such an address', async () => {
  const { username, token } = await registerVerified();
  for (const [how, make] of injected) {
    expect(refused, how).toContain((await post('/user/update', { name: make('name') }, token)).status);
    const email = make(`${username}@test.invalid`);
    expect([200, ...refused], how).toContain((await post('/auth/forgot-password', { email })).status);
  }
});

test('no mail has more than one recipient or a foreign header', async () => {
  const username = uniqueName('around');
  const email = `\r\n ${username}@test.invalid\r\n`;
  expect((await post('/auth/register', { username, password, email })).status).toBe(422);
  const { username: plain } = await registerVerified();
  await mailTo(`${plain}@test.invalid`);
  for (const head of headers()) {
    expect(head).not.toContain('evil.invalid');
    expect(head).not.toMatch(/^(bcc|cc):/im);
    expect(head.match(/^to: .*$/gim)).toHaveLength(1);
    expect(head.match(/^to: .*$/im)?.[0]).toMatch(/^To: [^\s,;]+@[^\s,;@]+$/);
  }
});

test('refuses a form that is too large with 413, with or without a Content-Length', async () => {
  const { token } = await registerVerified();
  const large = new Uint8Array(20 * 1024 * 1024).fill(0x23);
  const form = uploadForm(['playerFile', 'requirementsFile'], large, botFiles('calling-station').requirements);
  expect((await call('POST', '/submission/upload', { form, token })).status).toBe(413);
  const response = new Response(form);
  const streamed = await fetch(`${inject('platform').origin}/submission/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': response.headers.get('content-type') ?? '' },
    body: response.body,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    // The response may be lost when the server closes the connection during the upload.
    () => 'closed',
  );
  expect([413, 'closed']).toContain(streamed);
});
