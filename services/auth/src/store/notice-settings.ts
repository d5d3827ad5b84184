import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type NoticeKind, noticeKinds } from '../domain/notice.ts';

export interface NoticeSetting {
  readonly kind: NoticeKind;
  readonly enabled: boolean;
}

/** Every kind; what a user never decided is on. */
export async function readNoticeSettings(pool: pg.Pool, userId: string): Promise<NoticeSetting[]> {
  const { rows } = await pool.query<{ kind: string }>(
    'SELECT kind FROM notice_preferences WHERE user_id = $1 AND NOT enabled',
    [userId],
  );
  const off = new Set(rows.map((row) => row.kind));
  return noticeKinds.map((kind) => ({ kind, enabled: !off.has(kind) }));
}

/** Of an account that is there; answers false when it is not. */
export async function saveNoticeSettings(
  pool: pg.Pool,
  userId: string,
  settings: readonly NoticeSetting[],
  now: Date,
): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(
    `WITH reader AS (SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL),
     saved AS (INSERT INTO notice_preferences (user_id, kind, enabled, updated_at)
       SELECT reader.id, s.kind, s.enabled, $4 FROM reader, unnest($2::text[], $3::boolean[]) AS s(kind, enabled)
       ORDER BY s.kind
       ON CONFLICT (user_id, kind) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at)
     SELECT EXISTS (SELECT FROM reader) AS there`,
    [userId, settings.map(({ kind }) => kind), settings.map(({ enabled }) => enabled), now],
  );
  return rows[0]?.there ?? false;
}

/** What signs opt-out links; the first service that needs it makes it. */
export async function optOutSecret(pool: pg.Pool): Promise<Uint8Array> {
  await pool.query('INSERT INTO notice_secret (secret) VALUES ($1) ON CONFLICT DO NOTHING', [randomBytes(32)]);
  const { rows } = await pool.query<{ secret: Buffer }>('SELECT secret FROM notice_secret');
  if (!rows[0]) throw new Error('there is no secret for opt-out links');
  return rows[0].secret;
}
