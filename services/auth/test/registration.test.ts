import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { anonymous, goodPassword, startAuth } from './service.ts';

const auth = await startAuth();
afterAll(() => auth.stop());

const form = { username: 'alice', email: 'alice@example.com', password: goodPassword };
const register = (change: object) => auth.client.register({ ...form, ...change }, { caller: anonymous });

test('registers, signs in unverified and mails a link that verifies once', async () => {
  const session = await register({ name: '  Alice  ', about: '', github: 'alice-gh' });
  expect(auth.lifetimes(12 * 3600)).toContain(session.expiresIn);
  expect(session.user).toMatchObject({ username: 'alice', name: 'Alice', github: 'alice-gh', isVerified: false });
  expect(session.user?.about).toBeUndefined();

  const [mail] = auth.mails();
  expect(mail).toContain('To: alice@example.com');
  expect(mail).toContain('text/plain');
  expect(mail).toContain('text/html');
  const token = auth.linkToken();
  const verified = await auth.client.verifyEmail({ token }, { caller: anonymous });
  expect(verified).toMatchObject({ username: 'alice', isVerified: true, email: '' });
  expect(await refusal(auth.client.verifyEmail({ token }, { caller: anonymous }))).toMatch(
    /^FAILED_PRECONDITION link-used/,
  );
  expect(await auth.callerOf(session.accessToken)).toMatchObject({ verified: true });
});

test('refuses an unknown link and one that is a day old', async () => {
  await auth.register('late');
  const token = auth.linkToken();
  auth.clock.advance(24 * 3600_000 + 1);
  expect(await refusal(auth.client.verifyEmail({ token }, { caller: anonymous }))).toMatch(
    /^FAILED_PRECONDITION link-expired/,
  );
  expect(await refusal(auth.client.verifyEmail({ token: 'x'.repeat(43) }, { caller: anonymous }))).toMatch(
    /^NOT_FOUND link-unknown/,
  );
});

test('verifies once when a link is opened several times concurrently', async () => {
  await auth.register('clicky');
  const token = auth.linkToken();
  const clicks = Array.from({ length: 8 }, () => refusal(auth.client.verifyEmail({ token }, { caller: anonymous })));
  const outcomes = await Promise.all(clicks);
  expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(1);
});

test('refuses a taken name or address in upper or lower case, and reserved names', async () => {
  await auth.register('Taken');
  const taken = 'ALREADY_EXISTS username-taken: That username is already taken';
  expect(await refusal(register({ username: 'tAKEN', email: 'new@example.com' }))).toBe(taken);
  expect(await refusal(register({ username: 'other', email: 'TAKEN@Example.com' }))).toBe(
    'ALREADY_EXISTS email-taken: That e-mail address is already registered',
  );
  for (const username of ['House', 'random-legal', 'POT-ODDS', 'deleted-0123abcd']) {
    expect(await refusal(register({ username, email: 'reserved@example.com' }))).toBe(taken);
  }
  for (const username of ['Support', 'adm1n', 'husky-holdem']) {
    expect(await refusal(register({ username, email: 'reserved@example.com' }))).toBe(
      'INVALID_ARGUMENT username-reserved: That username is reserved for the people who run this site. Please choose another one',
    );
  }
});

test('an address with an international domain is one account in Unicode and in ASCII, and gets its mails', async () => {
  const session = await register({ username: 'reader', email: 'reader@bücher.example' });
  expect(await auth.client.identify({ accessToken: session.accessToken }, { caller: anonymous })).toMatchObject({
    email: 'reader@xn--bcher-kva.example',
  });
  expect(auth.mails().at(-1)).toContain('To: reader@xn--bcher-kva.example');
  for (const email of ['Reader@xn--bcher-kva.example', 'reader@BU\u0308CHER.example', 'reader@XN--BCHER-KVA.EXAMPLE']) {
    expect(await refusal(register({ username: 'reader-two', email }))).toMatch(/^ALREADY_EXISTS email-taken/);
  }
  const before = auth.mails().length;
  await auth.client.requestPasswordReset({ email: 'READER@bücher.example' }, { caller: anonymous });
  await vi.waitFor(() => expect(auth.mails()).toHaveLength(before + 1), 10_000);
  expect(auth.mails().at(-1)).toContain('To: reader@xn--bcher-kva.example');
});

test('registers a name once when several users request it concurrently', async () => {
  const requests = Array.from({ length: 6 }, (_, index) =>
    refusal(register({ username: index % 2 ? 'wanted' : 'WANTED', email: `wanted${index}@example.com` })),
  );
  const outcomes = await Promise.all(requests);
  expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(1);
  expect(
    outcomes.filter((outcome) => outcome.includes('username-taken')),
    outcomes.join(),
  ).toHaveLength(5);
});

test.each([
  ['a short username', { username: 'al' }, 'username-invalid'],
  ['a username with a space', { username: 'al ice' }, 'username-invalid'],
  ['a username with a line end', { username: 'alice\n' }, 'username-invalid'],
  ['a long username', { username: 'a'.repeat(33) }, 'username-invalid'],
  ['an address without a domain', { email: 'alice' }, 'email-invalid'],
  ['an address with a header', { email: 'a@example.com\r\nBcc: b@example.com' }, 'email-invalid'],
  ['an address with letters beyond ASCII before the @', { email: 'üser@example.org' }, 'email-invalid'],
  ['two addresses', { email: 'a@example.com,b@example.com' }, 'email-invalid'],
  ['an address of 255 characters', { email: `${'a'.repeat(60)}@${'b.'.repeat(96)}com` }, 'email-invalid'],
  ['a password of seven characters', { password: '1234567' }, 'password-too-short'],
  ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password-too-long'],
  ['a stolen password', { password: 'Password123' }, 'password-stolen'],
  ['a name with a line end', { name: 'Alice\r\nX-Admin: yes' }, 'profile-invalid'],
  ['a name with a NUL', { name: 'Al\0ice' }, 'profile-invalid'],
  ['a long name', { name: 'x'.repeat(81) }, 'profile-invalid'],
  ['a long about', { about: 'x'.repeat(1001) }, 'profile-invalid'],
])('refuses %s', async (_what, change, reason) => {
  expect(await refusal(register({ username: 'fresh', email: 'fresh@example.com', ...change }))).toMatch(
    new RegExp(`^INVALID_ARGUMENT ${reason}: `),
  );
});

test('mails the link again after a minute at the earliest, and not to a verified user', async () => {
  const session = await auth.register('resend');
  const caller = await auth.callerOf(session.accessToken);
  const resend = () => auth.client.resendVerification({}, { caller });
  auth.clock.advance(20_000);
  expect(await refusal(resend())).toBe(
    'RESOURCE_EXHAUSTED mail-too-soon: Please wait 40s before requesting another verification email',
  );
  auth.clock.advance(40_000);
  const before = auth.mails().length;
  const many = await Promise.all(Array.from({ length: 5 }, () => refusal(resend())));
  expect(many.filter((outcome) => outcome === 'OK')).toHaveLength(1);
  expect(auth.mails()).toHaveLength(before + 1);
  await auth.client.verifyEmail({ token: auth.linkToken() }, { caller: anonymous });
  auth.clock.advance(61_000);
  expect(await refusal(resend())).toBe('FAILED_PRECONDITION already-verified: Your account is already verified');
});
