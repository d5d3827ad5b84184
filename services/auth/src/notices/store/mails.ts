import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { type NoticeData, type NoticeKind, noticePauseMs } from '../domain/notice.ts';

/** A mail to send now, with all notices that it contains. */
export interface DueMail {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: NoticeKind;
  /** This attempt included. */
  readonly attempts: number;
  /** Whether the user has opted out since the notices were created. */
  readonly optedOut: boolean;
  readonly notices: readonly NoticeData[];
}

interface QueueRow {
  readonly user_id: string;
  readonly kind: NoticeKind;
  readonly mail_id: string | null;
  readonly tries: number;
}

// The lease on a mail: longer than any SMTP timeout, so an expired lease means that its holder has died.
const leaseMs = 120_000;

/**
 * Leases the mail that is due first to this process for two minutes; undefined when none is due. The first attempt fixes
 * the mail's id and notices, so that an attempt after a crash sends the same mail. Safe with several replicas.
 */
export function takeDueMail(pool: pg.Pool, now: Date): Promise<DueMail | undefined> {
  return inTransaction(pool, async (client) => {
    const due = await client.query<QueueRow>(
      sql`SELECT user_id, kind, mail_id, tries FROM notice_queues WHERE due_at <= ${now}
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    const [queue] = due.rows;
    if (!queue) return undefined;
    const { user_id: userId, kind } = queue;
    const mailId = queue.mail_id ?? randomUUID();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    await client.query(
      sql`UPDATE notice_queues SET mail_id = ${mailId}, tries = tries + 1, due_at = ${leasedUntil}
        WHERE user_id = ${userId} AND kind = ${kind}`,
    );
    if (queue.mail_id === null) {
      await client.query(
        sql`UPDATE notices SET mail_id = ${mailId}
          WHERE user_id = ${userId} AND kind = ${kind} AND outcome = 'waiting' AND NOT held AND mail_id IS NULL`,
      );
    }
    const notices = await client.query<{ data: NoticeData }>(
      sql`SELECT data FROM notices
        WHERE user_id = ${userId} AND kind = ${kind} AND mail_id = ${mailId} AND outcome = 'waiting' ORDER BY id`,
    );
    const preference = await client.query(
      sql`SELECT 1 FROM notice_preferences WHERE user_id = ${userId} AND kind = ${kind} AND NOT enabled`,
    );
    return {
      mailId,
      userId,
      kind,
      attempts: queue.tries + 1,
      optedOut: preference.rowCount === 1,
      notices: notices.rows.map((row) => row.data),
    };
  });
}

/** Ends a mail as sent or dropped. Notices that arrived meanwhile become due after the pause. */
export function finishMail(pool: pg.Pool, mail: DueMail, outcome: 'sent' | 'dropped', now: Date): Promise<void> {
  const { userId, kind, mailId } = mail;
  const sentAt = outcome === 'sent' && mail.notices.length > 0 ? now : null;
  const nextDueAt = sentAt === null ? now : new Date(now.getTime() + noticePauseMs);
  return inTransaction(pool, async (client) => {
    await client.query(
      sql`UPDATE notices SET outcome = ${outcome}, ended_at = ${now}
        WHERE user_id = ${userId} AND kind = ${kind} AND mail_id = ${mailId} AND outcome = 'waiting'`,
    );
    await client.query(
      sql`UPDATE notice_queues SET mail_id = NULL, tries = 0,
          last_sent_at = coalesce(${sentAt}::timestamptz, last_sent_at),
          due_at = (SELECT ${nextDueAt}::timestamptz WHERE EXISTS (
            SELECT FROM notices n
            WHERE n.user_id = ${userId} AND n.kind = ${kind} AND n.outcome = 'waiting' AND NOT n.held
              AND n.mail_id IS NULL))
        WHERE user_id = ${userId} AND kind = ${kind} AND mail_id = ${mailId}`,
    );
  });
}

/** Schedules another attempt of the same mail at `at`. */
export async function retryMail(pool: pg.Pool, { userId, kind, mailId }: DueMail, at: Date): Promise<void> {
  await pool.query(
    sql`UPDATE notice_queues SET due_at = ${at}
      WHERE user_id = ${userId} AND kind = ${kind} AND mail_id = ${mailId}`,
  );
}
