import type { Challenge } from '@husky/contracts/types/simulation/v1/Challenge';
import { at, empty, ids, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import type { Page } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import { jobState, unfinishedStates } from '../../domain/job-state.ts';
import { answerMs, type Choice, challengeNotFound, type NewChallenge } from '../domain/challenge.ts';

type Client = pg.Pool | pg.ClientBase;

/** Holds the advisory lock of a user's challenges until the transaction ends, so that concurrent requests cannot exceed the limit. */
export async function lockChallengesOf(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 18))`);
}

/** Returns when the challenge was sent whose 24 hours must pass before the user's next one; undefined: none. */
export async function blockingChallenge(
  client: pg.ClientBase,
  userId: string,
  maxADay: number,
  now: number,
): Promise<Date | undefined> {
  const { rows } = await client.query<{ at: Date }>(
    sql`SELECT created_at AS at FROM challenge_players WHERE user_id = ${userId} AND role = 'challenger'
          AND created_at > ${at(now - answerMs)} ORDER BY created_at DESC OFFSET ${Math.max(0, maxADay - 1)} LIMIT 1`,
  );
  return rows[0]?.at;
}

/** A user in a challenge. */
export interface Player {
  readonly userId: string;
  readonly role: 'challenger' | 'opponent' | 'fill';
  readonly answer: 'waiting' | 'accepted' | 'declined';
}

export async function insertChallenge(
  client: pg.ClientBase,
  id: string,
  { format, numRounds, fill }: NewChallenge,
  players: readonly Player[],
  now: number,
): Promise<void> {
  await client.query(
    sql`INSERT INTO challenges (id, format, num_rounds, fill, created_at, expires_at)
        VALUES (${id}, ${format}, ${numRounds}, ${fill}, ${at(now)}, ${at(now + answerMs)})`,
  );
  await insertPlayers(client, id, players, 0);
}

export async function insertPlayers(
  client: pg.ClientBase,
  id: string,
  players: readonly Player[],
  firstPlace: number,
): Promise<void> {
  await client.query(
    sql`INSERT INTO challenge_players (challenge_id, user_id, place, role, answer, created_at)
        SELECT c.id, p."userId", ${firstPlace}::int + place - 1, p.role, p.answer, c.created_at
        FROM challenges c, ROWS FROM (jsonb_to_recordset(${json(players)}) AS ("userId" uuid, role text, answer text))
          WITH ORDINALITY AS p("userId", role, answer, place) WHERE c.id = ${id}`,
  );
}

/** A challenge that is locked until the transaction ends. */
export interface LockedChallenge extends Omit<NewChallenge, 'opponentIds'> {
  readonly state: 'waiting' | 'made' | 'declined' | 'expired' | 'ended';
  readonly expiresAt: Date;
  readonly publishedAt: Date | null;
  readonly players: readonly Player[];
}

/** Locks a challenge; `lock` empty: only reads it. Throws NOT_FOUND. */
export async function readChallenge(client: Client, id: string, lock?: 'untilCommit'): Promise<LockedChallenge> {
  const { rows } = await client.query<Omit<LockedChallenge, 'players'>>(
    sql`SELECT format, num_rounds AS "numRounds", fill, state, expires_at AS "expiresAt", published_at AS "publishedAt"
        FROM challenges WHERE id = ${id} ${lock ? sql`FOR UPDATE` : empty}`,
  );
  const [found] = rows;
  if (!found) throw challengeNotFound();
  const players = await client.query<Player>(
    sql`SELECT user_id AS "userId", role, answer FROM challenge_players WHERE challenge_id = ${id} ORDER BY place`,
  );
  return { ...found, players: players.rows };
}

export async function storeAnswer(
  client: pg.ClientBase,
  id: string,
  userId: string,
  answer: Player['answer'],
): Promise<void> {
  await client.query(
    sql`UPDATE challenge_players SET answer = ${answer} WHERE challenge_id = ${id} AND user_id = ${userId}`,
  );
}

/** Ends a challenge that waits. No effect on others. */
export async function endChallenge(
  client: Client,
  id: string,
  state: 'declined' | 'ended',
  reason: string,
  now: number,
): Promise<void> {
  await client.query(
    sql`UPDATE challenges SET state = ${state}, reason = ${reason}, ended_at = ${at(now)} WHERE id = ${id} AND state = 'waiting'`,
  );
}

/** Stores that a challenge has these jobs. */
export async function storeMade(client: pg.ClientBase, id: string, jobIds: readonly string[]): Promise<void> {
  await client.query(sql`UPDATE challenges SET state = 'made' WHERE id = ${id}`);
  await client.query(sql`UPDATE jobs SET challenge_id = ${id} WHERE id = ANY (${ids(jobIds)})`);
}

/** Ends challenges whose time is over. */
export async function expireChallenges(pool: pg.Pool, now: number): Promise<void> {
  await pool.query(
    sql`UPDATE challenges SET state = 'expired', ended_at = ${at(now)}, reason = 'Not everybody has answered within 24 hours.'
        WHERE state = 'waiting' AND expires_at <= ${at(now)}`,
  );
}

/** Returns the challenges that wait, with the users who are to play, oldest first. `ready`: nobody has to answer any more. */
export async function waitingChallenges(
  pool: pg.Pool,
): Promise<{ readonly id: string; readonly ready: boolean; readonly userIds: readonly string[] }[]> {
  const { rows } = await pool.query(
    sql`SELECT c.id, bool_and(p.answer = 'accepted') AS ready, array_agg(p.user_id::text) AS "userIds"
        FROM challenges c JOIN challenge_players p ON p.challenge_id = c.id
        WHERE c.state = 'waiting' GROUP BY c.id ORDER BY c.created_at LIMIT 1000`,
  );
  return rows;
}

/** Ends the challenges that wait for a deleted user, and deletes their choice. Idempotent. */
export async function leaveChallenges(pool: pg.Pool, userId: string, now: number): Promise<void> {
  await pool.query(
    sql`UPDATE challenges SET state = 'ended', ended_at = ${at(now)}, reason = 'A player has deleted their account.'
        WHERE state = 'waiting' AND id IN (SELECT challenge_id FROM challenge_players WHERE user_id = ${userId})`,
  );
  await pool.query(sql`DELETE FROM challenge_choices WHERE user_id = ${userId}`);
}

/** Stores that a user, or all (an admin has decided), agree that the matches are public. */
export async function storeAgreement(client: pg.ClientBase, id: string, userId: string | null): Promise<void> {
  await client.query(
    sql`UPDATE challenge_players SET publishes = true
        WHERE challenge_id = ${id} AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)`,
  );
}

/** Returns the private challenges whose matches have ended and whose players agree that they are public, with the finished ones. */
export async function challengesToPublish(
  pool: pg.Pool,
): Promise<{ readonly id: string; readonly jobIds: readonly string[] }[]> {
  const { rows } = await pool.query(
    sql`SELECT c.id, ARRAY(SELECT j.id::text FROM jobs j WHERE j.challenge_id = c.id AND j.state = ${jobState.finished}) AS "jobIds"
        FROM challenges c WHERE c.state = 'made' AND c.published_at IS NULL
          AND NOT EXISTS (SELECT FROM challenge_players p WHERE p.challenge_id = c.id AND NOT p.publishes)
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.challenge_id = c.id AND j.state = ANY (${texts(unfinishedStates)}))`,
  );
  return rows;
}

export async function storePublished(pool: pg.Pool, id: string, now: number): Promise<void> {
  await pool.query(sql`UPDATE challenges SET published_at = ${at(now)} WHERE id = ${id}`);
}

/** Returns what users do with challenges, by user; those without an entry accept them. */
export async function choicesOf(client: Client, userIds: readonly string[]): Promise<ReadonlyMap<string, Choice>> {
  const { rows } = await client.query<{ id: string; choice: Choice }>(
    sql`SELECT user_id AS id, choice FROM challenge_choices WHERE user_id = ANY (${ids(userIds)})`,
  );
  return new Map(rows.map(({ id, choice }) => [id, choice]));
}

export async function storeChoice(client: pg.ClientBase, userId: string, choice: Choice): Promise<void> {
  if (choice === 'accept') await client.query(sql`DELETE FROM challenge_choices WHERE user_id = ${userId}`);
  else {
    await client.query(
      sql`INSERT INTO challenge_choices (user_id, choice) VALUES (${userId}, ${choice})
          ON CONFLICT (user_id) DO UPDATE SET choice = excluded.choice`,
    );
  }
}

/** Returns one challenge as clients see it. Throws NOT_FOUND. */
export async function presentChallenge(pool: pg.Pool, id: string): Promise<Challenge> {
  const [found] = await present(pool, sql`c.id = ${id}`, { skip: 0, take: 1 });
  if (!found) throw challengeNotFound();
  return found;
}

/** Returns a page of the challenges of a user, newest first. */
export async function challengesOf(
  pool: pg.Pool,
  userId: string,
  page: Page,
): Promise<{ challenges: Challenge[]; total: number }> {
  const mine = sql`c.id IN (SELECT challenge_id FROM challenge_players WHERE user_id = ${userId})`;
  const { rows } = await pool.query<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM challenges c WHERE ${mine}`,
  );
  return { challenges: await present(pool, mine, page), total: rows[0]?.total ?? 0 };
}

type Row = Omit<Challenge, 'createdAt' | 'expiresAt' | 'publishedAt'> & Record<'createdAt' | 'expiresAt', Date>;

async function present(pool: pg.Pool, where: Sql, { skip, take }: Page): Promise<Challenge[]> {
  const { rows } = await pool.query<Row & { readonly publishedAt: Date | null }>(
    sql`SELECT c.id, c.format, c.num_rounds AS "numRounds", c.fill, c.reason, c.created_at AS "createdAt", c.expires_at AS "expiresAt",
          c.published_at AS "publishedAt", p.players, coalesce(j.ids, '{}') AS "jobIds",
          CASE WHEN c.state <> 'made' THEN c.state WHEN j.unfinished THEN CASE WHEN j.started THEN 'playing' ELSE 'queued' END
               WHEN j.failed THEN 'failed' ELSE 'finished' END AS state
        FROM challenges c
        CROSS JOIN LATERAL (SELECT json_agg(json_build_object('userId', user_id, 'role', role, 'answer', answer, 'publishes', publishes)
          ORDER BY place) AS players FROM challenge_players WHERE challenge_id = c.id) AS p
        CROSS JOIN LATERAL (SELECT array_agg(id::text ORDER BY job_number) AS ids, bool_or(state = ANY (${texts(unfinishedStates)})) AS unfinished,
          bool_or(started_at IS NOT NULL) AS started, bool_and(state = ${jobState.failed}) AS failed
          FROM jobs WHERE challenge_id = c.id AND state <> ${jobState.deleting}) AS j
        WHERE ${where} ORDER BY c.created_at DESC, c.id OFFSET ${skip} LIMIT ${take}`,
  );
  return rows.map(({ createdAt, expiresAt, publishedAt, ...rest }) => ({
    ...rest,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? '',
  }));
}
