import type { AddressInfo } from 'node:net';
import { readableMail } from '@husky/testkit/mail-folder';
import { refusal } from '@husky/testkit/refusal';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from './service.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

const received: Received[] = [];
let refuse = false;
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'husky' && password === 'post' ? done(null, { user: username }) : done(new Error('wrong password')),
  onRcptTo: (_address, _session, done) => done(refuse ? new Error('the mailbox is full') : null),
  onData(stream, { envelope }, done) {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push({ from, to, text: readableMail(Buffer.concat(parts)) });
      done();
    });
  },
});

let auth: AuthUnderTest;
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  auth = await startAuth((config) => ({
    ...config,
    mail: { ...config.mail, smtpUrl: `smtp://husky:post@127.0.0.1:${port}` },
  }));
});
afterAll(async () => {
  await auth.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

/** Waits for the newest mail to an address that contains a text. Notices may arrive between other mails at any time. */
async function mailTo(address: string, part = ''): Promise<Received> {
  return vi.waitFor(() => {
    const mail = received.findLast(({ to, text }) => to.includes(address) && text.includes(part));
    if (!mail) throw new Error(`no mail to ${address} with ${part} has arrived`);
    return mail;
  }, 10_000);
}

const linkIn = ({ text }: Received, path: string) =>
  new RegExp(`http://husky\\.test/${path}/([\\w-]+)`).exec(text)?.[1] ?? '';

test('a mail server receives the verification mail, as text and HTML, and its link works once', async () => {
  await auth.register('posted');
  const mail = await mailTo('posted@example.com', 'Subject: Verify');
  expect(mail.from).toBe('no-reply@localhost');
  expect(mail.to).toEqual(['posted@example.com']);
  expect(mail.text).toMatch(/^Subject: Verify your Husky Hold'em account\r$/m);
  expect(mail.text).toContain('Content-Type: text/plain');
  expect(mail.text).toContain('Content-Type: text/html');
  const token = linkIn(mail, 'auth/verify-email');
  expect(await auth.client.verifyEmail({ token }, { caller: anonymous })).toMatchObject({ isVerified: true });
  expect(await refusal(auth.client.verifyEmail({ token }, { caller: anonymous }))).toMatch(/ link-used: /);
});

test('a mail server receives the mail that sets a new password, and its link works once', async () => {
  await auth.register('forgetful');
  await auth.client.requestPasswordReset({ email: 'forgetful@example.com' }, { caller: anonymous });
  const token = linkIn(await mailTo('forgetful@example.com', '/reset-password/'), 'reset-password');
  const reset = () => auth.client.resetPassword({ token, newPassword: 'another fine one' }, { caller: anonymous });
  expect(await reset()).toMatchObject({ username: 'forgetful' });
  expect(await refusal(reset())).toMatch(/ link-used: /);
});

test('a mail server receives the link for a new address and the notice to the old one, and the link works once', async () => {
  const session = await auth.register('mover');
  const caller = await auth.callerOf(session.accessToken);
  await mailTo('mover@example.com');
  const change = { currentPassword: goodPassword, newEmail: 'moved@example.com' };
  await auth.client.changeEmail(change, { caller });
  const token = linkIn(await mailTo('moved@example.com', '/auth/change-email/'), 'auth/change-email');
  await mailTo('mover@example.com', "Subject: Your Husky Hold'em address is to change\r");
  const open = () => auth.client.confirmEmailChange({ token }, { caller: anonymous });
  expect(await open()).toMatchObject({ username: 'mover', isVerified: true });
  expect(await refusal(open())).toMatch(/ link-used: /);
});

test.each([
  ['a second recipient in the address', { email: 'a@example.com\r\nBcc: victim@example.com' }],
  ['a second recipient by a comma', { email: 'a@example.com,victim@example.com' }],
  ['a second recipient by SMTP', { email: 'a@example.com>\r\nRCPT TO:<victim@example.com' }],
  ['a name beside the address', { email: 'Victim <victim@example.com>' }],
  ['a header in the username', { username: 'a\r\nBcc: victim@example.com' }],
  ['a header in the name', { name: 'a\r\nBcc: victim@example.com' }],
])('%s is refused and sends no mail', async (_what, change) => {
  const before = received.length;
  const form = { username: 'injector', email: 'injector@example.com', password: goodPassword, ...change };
  expect(await refusal(auth.client.register(form, { caller: anonymous }))).toMatch(/^INVALID_ARGUMENT /);
  const email = 'email' in change ? change.email : 'injector@example.com';
  await auth.client.requestPasswordReset({ email }, { caller: anonymous }).catch(() => undefined);
  // Mails are sent in order, so this one arrives after any mail of the request above.
  const sentinel = `sentinel${before}`;
  await auth.register(sentinel);
  await mailTo(`${sentinel}@example.com`);
  // Notices about addresses verified earlier may arrive at any time.
  const mails = received.slice(before).filter(({ text }) => !text.includes('address is verified'));
  expect(mails.map(({ to }) => to)).toEqual([[`${sentinel}@example.com`]]);
  expect(received.some(({ to, text }) => to.includes('victim@example.com') || /^Bcc:/im.test(text))).toBe(false);
});

test('a mail that the server refuses does not undo the registration, and another one may be requested at once', async () => {
  refuse = true;
  const session = await auth.register('unlucky');
  refuse = false;
  const caller = await auth.callerOf(session.accessToken);
  await auth.client.resendVerification({}, { caller });
  expect(linkIn(await mailTo('unlucky@example.com'), 'auth/verify-email')).not.toBe('');
});
