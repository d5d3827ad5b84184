import { messageOf } from '@husky/runtime/errors';
import { type Repeating, repeat } from '@husky/runtime/repeat';
import type { AuthContext } from '../context.ts';
import { mostRefusals, retryMs } from '../domain/notice.ts';
import { optOutToken } from '../domain/opt-out-token.ts';
import { namesOf } from '../store/directory.ts';
import { type DueMail, finishMail, takeDueMail, tryMailAgain } from '../store/notice-mails.ts';
import { optOutSecret } from '../store/notice-settings.ts';
import { noticeMail } from './notice-mail.ts';

const pollMs = 2000;

/** Mails what is due, one after the other; what cannot be mailed waits and is tried again. */
export function startNoticeSender(context: AuthContext): Repeating {
  return repeat('notices wait', pollMs, context.log, () => sendNext(context));
}

/** Answers whether there was one to send. */
async function sendNext(context: AuthContext): Promise<boolean> {
  const { pool, log } = context;
  const mail = await takeDueMail(pool, context.now());
  if (!mail) return false;
  if (mail.email === null || mail.notices.length === 0) {
    await finishMail(pool, mail, 'dropped', context.now());
    return true;
  }
  try {
    await send(context, mail, mail.email);
  } catch (error) {
    const { userId, kind, tries } = mail;
    if (isRefusal(error) && tries >= mostRefusals) {
      log.warn({ err: error, userId, kind }, `a notice is given up after ${tries} tries: ${messageOf(error)}`);
      await finishMail(pool, mail, 'dropped', context.now());
      return true;
    }
    const at = new Date(context.now().getTime() + retryMs(tries));
    log.warn({ err: error, userId, kind }, `a notice waits until ${at.toISOString()}: ${messageOf(error)}`);
    await tryMailAgain(pool, mail, at);
    return true;
  }
  await finishMail(pool, mail, 'sent', context.now());
  return true;
}

async function send(context: AuthContext, mail: DueMail, to: string): Promise<void> {
  const { publicUrl } = context;
  const secret = await optOutSecret(context.pool);
  const optOutUrl = `${publicUrl}/opt-out/${optOutToken(secret, { userId: mail.userId, kind: mail.kind })}`;
  const players = mail.notices.flatMap((notice) => (notice.about === 'match' ? notice.results : []));
  const ids = [...new Set(players.map(({ userId }) => userId))];
  const names = new Map((await namesOf(context.db, ids)).map((row) => [row.id, row.username]));
  const nameOf = (id: string) => names.get(id) ?? 'unknown';
  const { userId, username } = mail;
  const content = noticeMail(mail.kind, mail.notices, { userId, username, publicUrl, optOutUrl, nameOf });
  await context.mailer.send({
    ...content,
    ...{ to, username, kind: `${mail.kind} notice` },
    messageId: `<${mail.mailId}@${new URL(publicUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${optOutUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  });
}

/** The server's own "no, never", of this mail or its address. */
function isRefusal(error: unknown): boolean {
  const code = (error as { responseCode?: unknown }).responseCode;
  return typeof code === 'number' && code >= 500;
}
