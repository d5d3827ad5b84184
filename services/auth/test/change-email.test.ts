import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { anonymous, goodPassword, startAuth } from './service.ts';

const auth = await startAuth();
afterAll(() => auth.stop());

async function user(username: string) {
  const { accessToken } = await auth.register(username);
  return { accessToken, caller: await auth.callerOf(accessToken) };
}

type Caller = Awaited<ReturnType<typeof user>>['caller'];
const changeEmail = (caller: Caller, newEmail: string, currentPassword = goodPassword) =>
  auth.client.changeEmail({ currentPassword, newEmail }, { caller });
const open = (token: string) => refusal(auth.client.confirmEmailChange({ token }, { caller: anonymous }));
const identify = (accessToken: string) => auth.client.identify({ accessToken }, { caller: anonymous });

/** Returns the two mails that a request sends, whether the new address is taken or not. */
async function mailsOf(request: () => Promise<unknown>): Promise<string[]> {
  const before = auth.mails().length;
  await request();
  await vi.waitFor(() => expect(auth.mails()).toHaveLength(before + 2), 10_000);
  return auth.mails().slice(before);
}

const linkIn = (mails: readonly string[]) => /\/auth\/change-email\/([\w-]+)/.exec(mails.join('\n'))?.[1] ?? '';

test('changes the address once, when the link mailed to the new one is opened, and keeps sessions', async () => {
  const { accessToken, caller } = await user('mover');
  const mails = await mailsOf(() => changeEmail(caller, 'Moved@example.com'));
  const [notice = '', link = ''] = mails;
  expect(notice).toContain('To: mover@example.com');
  expect(notice).toContain('change your password now');
  expect(notice).not.toContain('/auth/change-email/');
  expect(link).toContain('To: Moved@example.com');
  expect(await identify(accessToken)).toMatchObject({ email: 'mover@example.com', isVerified: false });

  const token = linkIn(mails);
  expect((await Promise.all([open(token), open(token)])).sort()).toEqual([
    'FAILED_PRECONDITION link-used: This address link has already been used',
    'OK',
  ]);
  expect(await identify(accessToken)).toMatchObject({ email: 'Moved@example.com', isVerified: true });
  const { records } = await auth.client.listAudit(
    { action: 'user.email_changed' },
    { caller: await auth.signInAdmin() },
  );
  expect(records).toEqual([expect.objectContaining({ actorId: (await identify(accessToken)).id, beforeJson: '' })]);
  expect(JSON.stringify(records)).not.toContain('@');
});

test('refuses a wrong password, an invalid address and the current address', async () => {
  const { caller } = await user('stayer');
  expect(await refusal(changeEmail(caller, 'new@example.com', 'wrong password'))).toMatch(
    /^INVALID_ARGUMENT wrong-password/,
  );
  for (const bad of ['no address', 'a@example.com\r\nBcc: victim@example.com', 'a@example.com,b@example.com', '']) {
    expect(await refusal(changeEmail(caller, bad))).toMatch(/^INVALID_ARGUMENT email-invalid/);
  }
  expect(await refusal(changeEmail(caller, 'STAYER@example.com'))).toMatch(/^INVALID_ARGUMENT email-unchanged/);
  expect(await refusal(auth.client.changeEmail({ newEmail: 'a@example.com' }, { caller: anonymous }))).toMatch(
    /^UNAUTHENTICATED/,
  );
});

test('returns the same for a taken address as for a free one; only the taken address gets a mail about it', async () => {
  await user('holder');
  const first = await user('curious');
  const second = await user('curious-too');
  const responses: unknown[] = [];
  const taken = await mailsOf(async () => responses.push(await changeEmail(first.caller, 'HOLDER@example.com')));
  const free = await mailsOf(async () => responses.push(await changeEmail(second.caller, 'free@example.com')));
  expect(responses[0]).toEqual(responses[1]);
  expect(taken.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1])).toEqual(['curious@example.com', 'HOLDER@example.com']);
  expect(taken[1]).toContain('you already have an account with it');
  expect(linkIn(taken)).toBe('');
  expect(linkIn(free)).not.toBe('');
});

test('does not change the address when somebody registers the new one first', async () => {
  const { accessToken, caller } = await user('late');
  const token = linkIn(await mailsOf(() => changeEmail(caller, 'quick@example.com')));
  await user('quick');
  expect(await open(token)).toMatch(/^ALREADY_EXISTS email-taken/);
  expect(await identify(accessToken)).toMatchObject({ email: 'late@example.com' });
});

test('mails at most once a minute; a newer link, a new password or a day invalidates a link', async () => {
  const { caller } = await user('nervous');
  const first = linkIn(await mailsOf(() => changeEmail(caller, 'typo@example.com')));
  expect(await refusal(changeEmail(caller, 'right@example.com'))).toMatch(
    /^RESOURCE_EXHAUSTED mail-too-soon: Please wait 60s/,
  );
  auth.clock.advance(60_000);
  const second = linkIn(await mailsOf(() => changeEmail(caller, 'right@example.com')));
  expect(await open(first)).toMatch(/^FAILED_PRECONDITION link-used/);
  await auth.client.changePassword({ currentPassword: goodPassword, newPassword: 'a new passphrase' }, { caller });
  expect(await open(second)).toMatch(/^FAILED_PRECONDITION link-used/);
  auth.clock.advance(60_000);
  const third = linkIn(await mailsOf(() => changeEmail(caller, 'right@example.com', 'a new passphrase')));
  auth.clock.advance(24 * 3_600_000);
  expect(await open(third)).toMatch(/^FAILED_PRECONDITION link-expired/);
  expect(await open('x'.repeat(43))).toMatch(/^NOT_FOUND link-unknown/);
});

test('invalidates links sent to the old address and refuses links of another kind', async () => {
  const { caller } = await user('renamed');
  const verification = auth.linkToken();
  expect(await open(verification)).toMatch(/^NOT_FOUND link-unknown/);
  const token = linkIn(await mailsOf(() => changeEmail(caller, 'renamed-to@example.com')));
  expect(await refusal(auth.client.verifyEmail({ token }, { caller: anonymous }))).toMatch(/^NOT_FOUND link-unknown/);
  const before = auth.mails().length;
  await auth.client.requestPasswordReset({ email: 'renamed@example.com' }, { caller: anonymous });
  await vi.waitFor(() => expect(auth.mails()).toHaveLength(before + 1), 10_000);
  const reset = auth.linkToken();
  expect(await open(token)).toBe('OK');
  expect(await refusal(auth.client.verifyEmail({ token: verification }, { caller: anonymous }))).toMatch(
    / link-used: /,
  );
  const newPassword = 'a thief would like this';
  expect(await refusal(auth.client.resetPassword({ token: reset, newPassword }, { caller: anonymous }))).toMatch(
    / link-used: /,
  );
});
