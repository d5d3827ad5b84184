import { messageOf } from '@husky/runtime/rpc/errors';
import { maxRejections, retryMs } from '../domain/notice.ts';
import { optOutToken } from '../domain/opt-out-token.ts';
import type { NoticesHost } from '../host.ts';
import { type DueMail, finishMail, retryMail, takeDueMail } from '../store/mails.ts';
import { optOutSecret } from '../store/settings.ts';
import { noticeMail } from './content.ts';

/** Sends the next due mail; returns false when none was due. A failed mail is retried with exponential backoff. */
export async function sendNext(host: NoticesHost): Promise<boolean> {
  const { pool, log } = host;
  const mail = await takeDueMail(pool, host.now());
  if (!mail) return false;
  let outcome: 'sent' | 'dropped';
  try {
    outcome = await send(host, mail);
  } catch (error) {
    const { userId, kind, attempts } = mail;
    if (!isRejection(error) || attempts < maxRejections) {
      const at = new Date(host.now().getTime() + retryMs(attempts));
      log.warn({ err: error, userId, kind, retryAt: at }, `notice mail not sent: ${messageOf(error)}`);
      await retryMail(pool, mail, at);
      return true;
    }
    log.warn({ err: error, userId, kind, attempts }, `notice mail dropped: ${messageOf(error)}`);
    outcome = 'dropped';
  }
  await finishMail(pool, mail, outcome, host.now());
  return true;
}

/** Sends a mail, or drops it when its user no longer has a verified address or has opted out. */
async function send(host: NoticesHost, mail: DueMail): Promise<'sent' | 'dropped'> {
  const { publicUrl } = host;
  const { userId, kind, notices } = mail;
  const named = notices.flatMap((notice) => {
    if (notice.about === 'challenge') return notice.challengerId;
    return notice.about === 'match' ? notice.results.map((result) => result.userId) : [];
  });
  const users = await host.usersById([...new Set([userId, ...named])]);
  const user = users.get(userId);
  if (notices.length === 0 || mail.optedOut) return 'dropped';
  if (!user?.verified || user.deleted || user.email === null) return 'dropped';
  const { username } = user;
  const optOutUrl = `${publicUrl}/opt-out/${optOutToken(await optOutSecret(host.pool), { userId, kind })}`;
  const nameOf = (id: string) => users.get(id)?.username ?? 'unknown';
  await host.mailer.send({
    ...noticeMail(kind, notices, { userId, username, publicUrl, optOutUrl, nameOf }),
    to: user.email,
    username,
    kind: `${kind} notice`,
    messageId: `<${mail.mailId}@${new URL(publicUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${optOutUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  });
  return 'sent';
}

/** Whether the mail server rejected the mail or its address permanently (SMTP 5xx). */
function isRejection(error: unknown): boolean {
  const code = (error as { responseCode?: unknown }).responseCode;
  return typeof code === 'number' && code >= 500;
}
