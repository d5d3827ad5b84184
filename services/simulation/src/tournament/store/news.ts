import { tournamentNews } from '@husky/contracts/events';
import { ids, sql, texts } from '@husky/runtime/database/sql';
import { type EventTransaction, emit } from '@husky/runtime/messages/outbox';
import type pg from 'pg';
import { jobState } from '../../domain/job-state.ts';
import type { Tournament } from './tournaments.ts';

/** Tells users what concerns them, within the transaction that makes it true. `check` names one of several checks. */
export async function tell(
  client: EventTransaction,
  { id, slug, name, entryDeadline }: Tournament,
  news: 'ENTERED' | 'CHECK_FAILED' | 'RESULTS',
  userIds: readonly string[],
  check = '',
): Promise<void> {
  if (userIds.length === 0) return;
  const deadline = entryDeadline.toISOString();
  await emit(client, tournamentNews, {
    tournamentId: id,
    slug,
    name,
    news,
    userIds: [...userIds],
    entryDeadline: deadline,
    check,
  });
}

/** Returns those of the bots that did not start in their newest test run. */
export async function unstartedOf(
  pool: pg.Pool,
  bots: readonly { readonly userId: string; readonly botHash: string }[],
): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>(
    sql`SELECT bot.user_id AS "userId"
        FROM unnest(${ids(bots.map(({ userId }) => userId))}, ${texts(bots.map(({ botHash }) => botHash))}) AS bot(user_id, bot_hash),
          LATERAL (SELECT s.faults FROM job_seats s JOIN jobs j ON j.id = s.job_id
            WHERE s.user_id = bot.user_id AND s.bot_hash = bot.bot_hash AND j.kind = 'TEST_RUN' AND j.state = ${jobState.finished}
            ORDER BY j.ended_at DESC LIMIT 1) AS newest
        WHERE (newest.faults ->> 'neverStarted')::boolean`,
  );
  return rows.map(({ userId }) => userId);
}
