import { randomBytes } from 'node:crypto';
import type { TakenSeeds } from '@husky/match/commitment';
import { SEED_LIST_SIZE } from '@husky/match/seed-list';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import { growList, pathOf, seedAt } from '../domain/seed-list.ts';
import { appendCommitments, lockChain, readRecord } from './commitments.ts';

interface SeedList {
  readonly number: number;
  readonly next: number;
}

/** The next list is drawn when this many seeds of the last one are taken, long before it serves, so that new uploads come after it. */
const drawNextAt = SEED_LIST_SIZE / 2;

/** Draws the first list of seeds, or the next one when it is time. Throws ChainBroken while the chain is broken. */
export async function keepSeedLists(pool: pg.Pool, now: number): Promise<void> {
  if (!needsList(await readLists(pool))) return;
  await inTransaction(pool, async (client) => {
    await lockChain(client);
    const lists = await readLists(client);
    if (needsList(lists)) await drawList(client, (lists.at(-1)?.number ?? 0) + 1, now);
  });
}

const needsList = (lists: readonly SeedList[]): boolean => (lists.at(-1)?.next ?? drawNextAt) >= drawNextAt;

/**
 * Returns the next `count` seeds in the order of the lists. They are taken by the record of a plan that names them, which must follow in the
 * same transaction: it holds the chain's lock.
 */
export async function takeSeeds(client: pg.ClientBase, count: number, now: number): Promise<TakenSeeds> {
  await lockChain(client);
  const lists = await readLists(client);
  const known = lists.find(({ next }) => next + count <= SEED_LIST_SIZE);
  const list = known ?? (await drawList(client, (lists.at(-1)?.number ?? 0) + 1, now));
  return { count, first: list.next, list: list.number };
}

/** Returns the lists from the one on that the newest plan has taken seeds of. */
async function readLists(client: pg.Pool | pg.ClientBase): Promise<SeedList[]> {
  const { rows } = await client.query<SeedList>(
    sql`WITH taken AS (SELECT (seeds ->> 'list')::int AS list, (seeds ->> 'first')::int + (seeds ->> 'count')::int AS next
            FROM commitments WHERE seeds IS NOT NULL ORDER BY number DESC LIMIT 1)
        SELECT number, coalesce((SELECT next FROM taken WHERE list = number), 0) AS next FROM seed_lists
        WHERE number >= coalesce((SELECT list FROM taken), 1) ORDER BY number`,
  );
  return rows;
}

async function drawList(client: pg.ClientBase, number: number, now: number): Promise<SeedList> {
  const secret = randomBytes(32);
  const { root, nodes } = growList(secret);
  const [record] = await appendCommitments(client, [{ kind: 'seeds', id: String(number), commitment: root }], now);
  await client.query(
    sql`INSERT INTO seed_lists (number, secret, nodes, commitment_number) VALUES (${number}, ${secret}, ${nodes}, ${record})`,
  );
  return { number, next: 0 };
}

/** Returns seeds of a list by their places. */
export async function readSeeds(client: pg.ClientBase, list: number, places: readonly number[]): Promise<Buffer[]> {
  const { rows } = await client.query<{ secret: Buffer }>(sql`SELECT secret FROM seed_lists WHERE number = ${list}`);
  const [found] = rows;
  if (!found) throw new Error(`there is no list ${list} of seeds`);
  return places.map((place) => seedAt(found.secret, place));
}

/** Returns what shows that a seed stands in its list. */
export async function proveSeed(
  pool: pg.Pool,
  { list, number }: { readonly list: number; readonly number: number },
): Promise<{ path: string[]; record: ChainRecord } | undefined> {
  const { rows } = await pool.query<{ secret: Buffer; nodes: Buffer }>(
    sql`SELECT secret, nodes FROM seed_lists WHERE number = ${list}`,
  );
  const record = await readRecord(
    pool,
    sql`number = (SELECT commitment_number FROM seed_lists WHERE number = ${list})`,
  );
  return rows[0] && record && { path: pathOf(rows[0].secret, rows[0].nodes, number), record };
}
