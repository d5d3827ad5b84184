import { DomainError } from '@husky/runtime/errors';
import type pg from 'pg';

/** Keeps what simulation says of the freeze, whatever order and number its events come in. */
export async function saveFreeze(pool: pg.Pool, version: number, frozen: boolean): Promise<void> {
  await pool.query('UPDATE event_freeze SET frozen = $2, version = $1 WHERE version < $1', [version, frozen]);
}

/** FAILED_PRECONDITION while the organisers' freeze stands. */
export async function refuseWhenFrozen(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ frozen: boolean }>('SELECT frozen FROM event_freeze WHERE id = 1');
  if (rows[0]?.frozen) {
    throw new DomainError('FAILED_PRECONDITION', 'frozen', 'Submissions are frozen by the organisers.');
  }
}
