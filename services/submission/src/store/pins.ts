import { json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { CheckedBot } from '../domain/bot-files.ts';
import { putBot, recordVersion } from './bots.ts';

export interface Pin {
  readonly userId: string;
  readonly botHash: string;
  readonly requirementsHash: string;
  /** Of the final submission; empty: none. */
  readonly nonce: string;
}

/**
 * Stores a bot and pins it for a holder, a job or a batch, until the holder's pins are released. `version` keeps it as a version
 * of the user's bot afterwards. Idempotent.
 */
export async function pinBot(
  pool: pg.Pool,
  { holderId, userId, version }: { readonly holderId: string; readonly userId: string; readonly version: boolean },
  files: CheckedBot,
): Promise<Pin> {
  await inTransaction(pool, async (client) => {
    await putBot(client, files);
    await insertPins(client, holderId, [{ userId, botHash: files.botHash }]);
    if (version) await recordVersion(client, userId, files.botHash);
  });
  return { userId, botHash: files.botHash, requirementsHash: files.requirements.hash, nonce: '' };
}

/** Condition on marks (`m`): the submission was final at a time; null: it is now. */
export const finalAt = (at: Date | null) =>
  at === null ? sql`m.until IS NULL` : sql`m.since <= ${at} AND (m.until IS NULL OR m.until > ${at})`;

/** Pins the users' final submissions (at a time, or now), all or none. Returns the users without one as `missing`, in which case nothing is pinned. */
export function pinFinals(
  pool: pg.Pool,
  holderId: string,
  userIds: readonly string[],
  at: Date | null = null,
): Promise<{ pins: Pin[]; missing: string[] }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Pin>(
      sql`SELECT m.user_id AS "userId", m.bot_hash AS "botHash", b.requirements_hash AS "requirementsHash", coalesce(m.nonce, '') AS nonce
          FROM final_marks m JOIN bots b ON b.hash = m.bot_hash
          WHERE ${finalAt(at)} AND m.user_id = ANY (${userIds}::uuid[]) FOR SHARE OF m, b`,
    );
    const finals = new Map(rows.map((pin) => [pin.userId, pin]));
    const missing = userIds.filter((id) => !finals.has(id));
    if (missing.length > 0) return { pins: [], missing };
    const pins = userIds.flatMap((id) => finals.get(id) ?? []);
    await insertPins(client, holderId, pins);
    return { pins, missing };
  });
}

/**
 * Pins the bot of a ready submission, and forgets the address of its upload; the address stays if it must be one of the user `userId`, and
 * FAILED_PRECONDITION says that it is not ready. Undefined, without a pin, if there is no such submission.
 */
export function pinUpload(
  pool: pg.Pool,
  holderId: string,
  submissionId: string,
  userId = '',
): Promise<{ pin: Pin; uploadedAt: Date; address: string } | undefined> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Pin & { uploadedAt: Date; address: string; state: string }>(
      sql`SELECT s.user_id AS "userId", s.bot_hash AS "botHash", b.requirements_hash AS "requirementsHash", '' AS nonce,
            s.created_at AS "uploadedAt", s.address, s.state
          FROM submissions s JOIN bots b ON b.hash = s.bot_hash
          WHERE s.id = ${submissionId} AND (s.state = 'ready' OR s.user_id::text = ${userId}) FOR UPDATE OF s`,
    );
    const [found] = rows;
    if (!found || (userId !== '' && found.userId !== userId)) return undefined;
    const { uploadedAt, address, state, ...pin } = found;
    if (state !== 'ready') throw notReady();
    await insertPins(client, holderId, [pin]);
    if (userId === '') await client.query(sql`UPDATE submissions SET address = '' WHERE id = ${submissionId}`);
    return { pin, uploadedAt, address };
  });
}

const notReady = () =>
  new DomainError(
    'FAILED_PRECONDITION',
    'submission-not-ready',
    'This submission is not ready to play: its packages are not prepared.',
  );

/** Releases all pins of a holder. Idempotent. */
export async function releasePins(pool: pg.Pool, holderId: string): Promise<void> {
  await pool.query(sql`DELETE FROM pins WHERE holder_id = ${holderId}`);
}

async function insertPins(
  client: pg.ClientBase,
  holderId: string,
  pins: readonly { readonly userId: string; readonly botHash: string }[],
): Promise<void> {
  await client.query(
    sql`INSERT INTO pins (holder_id, user_id, bot_hash) SELECT ${holderId}, "userId", "botHash"
        FROM jsonb_to_recordset(${json(pins)}) AS p("userId" uuid, "botHash" text) ON CONFLICT DO NOTHING`,
  );
}
