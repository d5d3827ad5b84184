import { escapeHtml } from '@husky/runtime/process/html';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { AuthContext } from '../context.ts';
import { emailChangeHours, resetHours, verificationHours } from '../domain/email.ts';
import type { User } from '../generated/client.ts';
import { type Letter, type LetterPart, site } from './mail.ts';

/** Mails a verification link. Returns whether the mail was sent; a failure is logged. */
export function sendVerification(context: AuthContext, user: User, token: string): Promise<boolean> {
  const url = `${context.publicUrl}/auth/verify-email/${token}`;
  const mail = letter({
    subject: `Verify your ${site} account`,
    greeting: `Hello ${user.username},`,
    before: 'please confirm that this e-mail address is yours. Then you can upload bots and play matches.',
    button: 'Verify my account',
    url,
    after: `The link works once, for ${verificationHours} hours. If you did not register, ignore this e-mail.`,
  });
  return sendOrLog(context, user, { ...mail, kind: 'verification', url }, 'verification mail not sent');
}

/** Mails a link to choose a new password. Throws when it cannot be sent. */
export async function sendPasswordReset(context: AuthContext, user: User, token: string): Promise<void> {
  if (user.email === null) return;
  const url = `${context.publicUrl}/reset-password/${token}`;
  const hours = resetHours === 1 ? 'one hour' : `${resetHours} hours`;
  const mail = letter({
    subject: `Choose a new ${site} password`,
    greeting: `Hello ${user.username},`,
    before: 'a new password was requested for your account.',
    button: 'Choose a new password',
    url,
    after: `The link works once, for ${hours}. If you did not request it, ignore this e-mail: your password does not change.`,
  });
  await context.mailer.send({ ...mail, to: user.email, username: user.username, kind: 'password reset', url });
}

/** Mails the link that confirms a new e-mail address, to that address. Throws when it cannot be sent. */
export async function sendEmailChange(context: AuthContext, user: User, to: string, token: string): Promise<void> {
  const url = `${context.publicUrl}/auth/change-email/${token}`;
  const mail = letter({
    subject: `Confirm your new ${site} address`,
    greeting: `Hello ${user.username},`,
    before: 'please confirm that this e-mail address is yours. It then replaces the old address of your account.',
    button: 'Use this address',
    url,
    after: `The link works once, for ${emailChangeHours} hours. If you did not request it, ignore this e-mail: nothing changes.`,
  });
  await context.mailer.send({ ...mail, to, username: user.username, kind: 'change of address', url });
}

/** Informs the current address about a requested change of address. A failure is logged. */
export async function sendEmailChangeNotice(context: AuthContext, user: User): Promise<void> {
  const url = `${context.publicUrl}/account`;
  const mail = letter({
    subject: `Your ${site} address is to change`,
    greeting: `Hello ${user.username},`,
    before: 'somebody who knows your password requested another e-mail address for your account.',
    button: 'Open my account',
    url,
    after: 'If it was you, there is nothing to do. If not, change your password now: that stops the change.',
  });
  await sendOrLog(context, user, { ...mail, kind: 'notice of a new address', url }, 'notice of a new address not sent');
}

/** Informs the owner of an address that somebody requested it for another account. Throws when it cannot be sent. */
export async function sendAddressInUse(context: AuthContext, user: User, to: string): Promise<void> {
  const url = `${context.publicUrl}/forgot-password`;
  const mail = letter({
    subject: `Your ${site} account`,
    greeting: 'Hello,',
    before: 'somebody requested this e-mail address for an account, but you already have an account with it.',
    button: 'Choose a new password',
    url,
    after: 'If it was you, use that account. If not, ignore this e-mail: nothing changes.',
  });
  await context.mailer.send({ ...mail, to, username: user.username, kind: 'address in use', url });
}

async function sendOrLog(
  { mailer, log }: AuthContext,
  { id, email, username }: User,
  mail: Letter & { readonly kind: string; readonly url: string },
  failure: string,
): Promise<boolean> {
  if (email === null) return false;
  try {
    await mailer.send({ ...mail, to: email, username });
    return true;
  } catch (error) {
    log.warn({ err: error, userId: id }, `${failure}: ${messageOf(error)}`);
    return false;
  }
}

interface AccountLetter {
  readonly subject: string;
  readonly greeting: string;
  readonly before: string;
  readonly button: string;
  readonly url: string;
  readonly after: string;
}

function letter({ subject, greeting, before, button, url, after }: AccountLetter): Letter {
  const parts = [
    { paragraph: greeting },
    { paragraph: before },
    { button, url, showUrl: true },
    { paragraph: after },
    { paragraph: site },
  ];
  return { subject, parts };
}

export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Renders a letter as plain text and as HTML that loads no external resources. */
export function renderLetter({ subject, parts }: Letter): RenderedLetter {
  const text = parts.flatMap(textOf).filter((part) => part !== '');
  const body = parts.flatMap(htmlOf).filter((part) => part !== '');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px;margin:24px auto;padding:0 16px">
${body.join('\n')}
</body>
</html>
`;
  return { subject, text: `${text.join('\n\n')}\n`, html };
}

function textOf(part: LetterPart): string[] {
  if ('paragraph' in part) return [part.paragraph];
  if ('list' in part) {
    return [part.list.map(({ text, url }) => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`)).join('\n')];
  }
  if ('button' in part) return [`${part.button}:\n${part.url}`];
  return ['-- ', [part.footer, ...part.links.map(({ label, url }) => `${label}: ${url}`)].join('\n')];
}

function htmlOf(part: LetterPart): string[] {
  if ('paragraph' in part) return [paragraph(escapeHtml(part.paragraph))];
  if ('list' in part) {
    const items = part.list.map(
      ({ text, url }) => `<li>${url === undefined ? escapeHtml(text) : link(url, text)}</li>`,
    );
    return items.length === 0 ? [] : [`<ul style="margin:0 0 16px;padding-left:20px">\n${items.join('\n')}\n</ul>`];
  }
  if ('button' in part) {
    const button = `<a href="${escapeHtml(part.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f6f4a;color:#fff;text-decoration:none">${escapeHtml(part.button)}</a>`;
    return [paragraph(button), part.showUrl ? paragraph(`Or open this address: ${link(part.url, part.url)}`) : ''];
  }
  const links = part.links.map(({ label, url }) => link(url, label)).join(' · ');
  return [`<p style="margin:24px 0 0;font-size:13px;color:#595959">${escapeHtml(part.footer)} ${links}</p>`];
}

function paragraph(content: string): string {
  return content === '' ? '' : `<p style="margin:0 0 16px">${content}</p>`;
}

function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
