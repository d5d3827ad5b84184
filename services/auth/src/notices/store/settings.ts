import { randomBytes } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { type NoticeKind, noticeKinds } from '../domain/notice.ts';

export interface NoticeSetting {
  readonly kind: NoticeKind;
  readonly enabled: boolean;
}

/** Returns a setting for every kind. Kinds are enabled by default. */
export async function readNoticeSettings(pool: pg.Pool, userId: string): Promise<NoticeSetting[]> {
  const { rows } = await pool.query<{ kind: string }>(
    sql`SELECT kind FROM notice_preferences WHERE user_id = ${userId} AND NOT enabled`,
  );
  const disabled = new Set(rows.map((row) => row.kind));
  return noticeKinds.map((kind) => ({ kind, enabled: !disabled.has(kind) }));
}

export async function saveNoticeSettings(
  pool: pg.Pool,
  userId: string,
  settings: readonly NoticeSetting[],
  now: Date,
): Promise<void> {
  const kinds = settings.map(({ kind }) => kind);
  const enabled = settings.map((setting) => setting.enabled);
  // Rows are locked in order of kind, so that concurrent calls cannot deadlock.
  await pool.query(
    sql`INSERT INTO notice_preferences (user_id, kind, enabled, updated_at)
      SELECT ${userId}::uuid, s.kind, s.enabled, ${now}::timestamptz
      FROM unnest(${kinds}::text[], ${enabled}::boolean[]) AS s(kind, enabled)
      ORDER BY s.kind
      ON CONFLICT (user_id, kind) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at`,
  );
}

/** Returns the key that signs opt-out links; creates it on first use. */
export async function optOutSecret(pool: pg.Pool): Promise<Uint8Array> {
  await pool.query(sql`INSERT INTO notice_secret (secret) VALUES (${randomBytes(32)}) ON CONFLICT DO NOTHING`);
  const { rows } = await pool.query<{ secret: Buffer }>('SELECT secret FROM notice_secret');
  if (!rows[0]) throw new Error('the secret of opt-out links is missing');
  return rows[0].secret;
}
