import { randomUUID } from 'node:crypto';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { type NoticeData, type NoticeKind, noticePauseMs } from '../domain/notice.ts';

/** A mail to be sent now: who gets it, and all that it tells. */
export interface DueMail {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly tries: number;
  readonly username: string;
  /** Null: nobody is to get it any more. */
  readonly email: string | null;
  readonly notices: readonly NoticeData[];
}

// Longer than any mail server is waited for: who holds a mail for longer has died.
const holdMs = 120_000;

/**
 * Takes the mail that is due first, for this process alone; undefined when none is. Its id and its notices are fixed by
 * the first try, so that a try after a crash is the same mail again.
 */
export function takeDueMail(pool: pg.Pool, now: Date): Promise<DueMail | undefined> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Queue>(
      `SELECT user_id, kind, mail_id, tries FROM notice_queues WHERE due_at <= $1
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [now],
    );
    const [queue] = rows;
    if (!queue) return undefined;
    const mailId = queue.mail_id ?? randomUUID();
    const group = [queue.user_id, queue.kind];
    await client.query(
      'UPDATE notice_queues SET mail_id = $3, tries = tries + 1, due_at = $4 WHERE user_id = $1 AND kind = $2',
      [...group, mailId, new Date(now.getTime() + holdMs)],
    );
    if (queue.mail_id === null) {
      await client.query(
        `UPDATE notices SET mail_id = $3
         WHERE user_id = $1 AND kind = $2 AND outcome = 'waiting' AND NOT held AND mail_id IS NULL`,
        [...group, mailId],
      );
    }
    const notices = await client.query<{ data: NoticeData }>(
      "SELECT data FROM notices WHERE user_id = $1 AND kind = $2 AND mail_id = $3 AND outcome = 'waiting' ORDER BY id",
      [...group, mailId],
    );
    const readers = await client.query<{ username: string; email: string | null }>(
      `SELECT u.username,
         CASE WHEN u.verified AND u.deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM notice_preferences p WHERE p.user_id = u.id AND p.kind = $2 AND NOT p.enabled)
         THEN u.email END AS email
       FROM users u WHERE u.id = $1`,
      group,
    );
    const reader = readers.rows[0] ?? { username: '', email: null };
    return {
      ...{ mailId, userId: queue.user_id, kind: queue.kind, tries: queue.tries + 1, ...reader },
      notices: notices.rows.map((row) => row.data),
    };
  });
}

interface Queue {
  readonly user_id: string;
  readonly kind: NoticeKind;
  readonly mail_id: string | null;
  readonly tries: number;
}

/** The mail is out, or nobody wants it: what came meanwhile is due after the pause. */
export function finishMail(pool: pg.Pool, mail: DueMail, outcome: 'sent' | 'dropped', now: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(
      "UPDATE notices SET outcome = $4, ended_at = $5 WHERE user_id = $1 AND kind = $2 AND mail_id = $3 AND outcome = 'waiting'",
      [mail.userId, mail.kind, mail.mailId, outcome, now],
    );
    const pause = outcome === 'sent' && mail.notices.length > 0;
    await client.query(
      `UPDATE notice_queues q SET mail_id = NULL, tries = 0, last_sent_at = CASE WHEN $4 THEN $5 ELSE last_sent_at END,
         due_at = (SELECT CASE WHEN $4 THEN $6 ELSE $5 END WHERE EXISTS (
           SELECT FROM notices n WHERE n.user_id = $1 AND n.kind = $2 AND n.outcome = 'waiting' AND NOT n.held AND n.mail_id IS NULL))
       WHERE q.user_id = $1 AND q.kind = $2 AND q.mail_id = $3`,
      [mail.userId, mail.kind, mail.mailId, pause, now, new Date(now.getTime() + noticePauseMs)],
    );
  });
}

/** The mail did not go out: the same one again at `at`. */
export async function tryMailAgain(pool: pg.Pool, mail: DueMail, at: Date): Promise<void> {
  await pool.query('UPDATE notice_queues SET due_at = $4 WHERE user_id = $1 AND kind = $2 AND mail_id = $3', [
    ...[mail.userId, mail.kind, mail.mailId],
    at,
  ]);
}
