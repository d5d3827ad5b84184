import { DomainError } from '@husky/runtime/errors';
import type pg from 'pg';

export interface EventNews {
  readonly version: number;
  readonly frozen: boolean;
  /** 0: not said. */
  readonly maxSubmissions?: number;
  readonly maxUploadsADay?: number;
}

/** Keeps what simulation says of the event, whatever order and number its messages come in. */
export async function saveEventNews(pool: pg.Pool, news: EventNews): Promise<void> {
  await pool.query(
    `UPDATE event_freeze SET frozen = $2, version = $1, max_submissions = nullif($3, 0), max_uploads_a_day = nullif($4, 0)
     WHERE version < $1`,
    [news.version, news.frozen, news.maxSubmissions ?? 0, news.maxUploadsADay ?? 0],
  );
}

/** FAILED_PRECONDITION while the organisers' freeze stands. */
export async function refuseWhenFrozen(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ frozen: boolean }>('SELECT frozen FROM event_freeze WHERE id = 1');
  if (rows[0]?.frozen) {
    throw new DomainError('FAILED_PRECONDITION', 'frozen', 'Submissions are frozen by the organisers.');
  }
}
