// `npx vitest run --config vitest.bench.config.ts services/live-data/bench/archive.bench.ts`: size of the tables before and after MATCHES (30)
// matches of HANDS (1,000) hands of random play are archived, and the time that it takes.

import { sql } from '@husky/runtime/database/sql';
import { createLogger } from '@husky/runtime/process/logger';
import { expect, test } from 'vitest';
import { HandArchive } from '../src/archive/hand-archive.ts';
import { clientOver } from '../src/store/database.ts';
import { WorkLocks } from '../src/store/work-locks.ts';
import { archiveHands } from '../src/work/archive-hands.ts';
import { folderStore } from '../test/object-stores.ts';
import { admin, settingsOf, startLiveData } from '../test/service.ts';

const matches = Number(process.env.MATCHES ?? 30);
const numRounds = Number(process.env.HANDS ?? 1000);
const print = (line: string) => process.stdout.write(`${line}\n`);

test('archives matches', async () => {
  const store = await folderStore();
  const live = await startLiveData({ archive: store.settings });
  const { admin: pool } = live.database;
  const prisma = clientOver(pool);

  /** Returns the size of each table with its indexes in bytes. */
  const measure = async () => {
    await pool.query('VACUUM FULL');
    const { rows } = await pool.query<{ name: string; bytes: number }>(
      sql`SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'live_data'::regnamespace ORDER BY 2 DESC`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  };

  const empty = await measure();
  let hands = 0;
  const jobIds: string[] = [];
  for (let match = 0; match < matches; match++) {
    const played = await live.finishMatch({ numRounds, stacks: 'reset' }, { bots: match + 1 });
    hands += played.play.records.length;
    jobIds.push(played.match.jobId);
  }
  await expect.poll(async () => await prisma.matchValues.count(), { timeout: 600_000, interval: 1000 }).toBe(matches);
  await pool.query(sql`UPDATE live_data.matches SET created_at = now() - interval '40 days'`);
  await pool.query('TRUNCATE live_data.published_events, live_data.outbox');
  const before = await measure();

  const workLocks = new WorkLocks(settingsOf(live.database));
  const startedAt = performance.now();
  await archiveHands({
    db: { pool, prisma, archive: new HandArchive(store.objects) },
    workLocks,
    log: createLogger('live-data', 'fatal'),
    now: Date.now,
    relay: { kick: () => undefined },
    stopping: new AbortController().signal,
    archiveAfterDays: 30,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await workLocks.close();
  const after = await measure();

  const readAt = performance.now();
  for (const jobId of jobIds) {
    const { hands: listed } = await live.gateway.listHands({ jobId, page: 1, pageSize: 1 }, { caller: admin });
    await live.gateway.getHand({ gameId: listed[0]?.gameId ?? '' }, { caller: admin });
  }
  const readMs = (performance.now() - readAt) / matches;

  const total = { before: 0, after: 0 };
  const line = (name: string, sizes: typeof total) => {
    const texts = [sizes.before, sizes.after].map((bytes) => (bytes / hands).toFixed(2).padStart(8));
    print(`  ${name.padEnd(20)} ${texts.join(' ')}`);
  };
  print(
    `${matches} matches, ${hands} hands; bytes a hand of each table, less its size without matches, before and after:`,
  );
  for (const [name, bytes] of before) {
    const least = empty.get(name) ?? 0;
    const sizes = { before: bytes - least, after: (after.get(name) ?? 0) - least };
    if (sizes.before === 0 && sizes.after === 0) continue;
    line(name, sizes);
    total.before += sizes.before;
    total.after += sizes.after;
  }
  line('all', total);
  const { rows } = await pool.query<{ bytes: number }>(
    sql`SELECT sum(bytes)::float8 AS bytes FROM live_data.archived_hands WHERE archived_at IS NOT NULL`,
  );
  print(`objects: ${((rows[0]?.bytes ?? 0) / hands).toFixed(2)} bytes a hand`);
  print(
    `archived in ${seconds.toFixed(1)} s with pauses; the first hand of a match is read in ${readMs.toFixed(1)} ms`,
  );
  await prisma.$disconnect();
  await live.stop();
  await store.stop();
}, 1_800_000);
