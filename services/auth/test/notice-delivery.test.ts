import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { testLife } from '@husky/testkit/service-under-test';
import { afterAll, expect, test, vi } from 'vitest';
import { start } from '../src/start.ts';
import { type Person, pauseMs, startNoticeWorld, waitUntil } from './notice-world.ts';

const world = await startNoticeWorld();
afterAll(() => world?.stop());

test('a notice is retried while the mail server is unreachable, and sent once', async () => {
  const owner = await world.person('patient');
  await world.mailServer.stop();
  await world.nats.jobEnded(world.testRun(owner));
  const tries = async () => {
    world.auth.clock.advance(60_000);
    const { rows } = await world.auth.database.admin.query<{ tries: number }>(
      'SELECT max(tries) AS tries FROM notice_queues',
    );
    return rows[0]?.tries;
  };
  await vi.waitFor(async () => expect(await tries()).toBeGreaterThan(1), { timeout: 15_000, interval: 50 });
  await world.mailServer.restart();
  expect(owner.letters()).toHaveLength(0);
  await vi.waitFor(
    () => {
      if (owner.letters().length === 0) world.auth.clock.advance(3_600_000);
      expect(owner.letters()).toHaveLength(1);
    },
    { timeout: 20_000, interval: 3000 },
  );
  await world.settled();
  expect(owner.letters()).toHaveLength(1);
});

test('a permanently rejected mail is dropped after five attempts and does not delay others', async () => {
  const owner = await world.person('refused');
  const other = await world.person('accepted');
  world.mailServer.rejectWith(550);
  await world.nats.jobEnded(world.testRun(owner));
  const waiting = async () => {
    world.auth.clock.advance(3_600_000);
    const { rows } = await world.auth.database.admin.query(
      sql`SELECT 1 FROM notices WHERE user_id = ${owner.id} AND kind = 'match_finished' AND outcome = 'waiting'`,
    );
    return rows.length;
  };
  // The event arrives asynchronously: wait until the notice exists, then until it has been dropped.
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 15_000, interval: 20 });
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 });
  expect(world.mailServer.rejections(`${owner.name}@example.com`)).toBe(5);
  world.mailServer.rejectWith(undefined);
  await world.nats.jobEnded(world.testRun(other));
  await waitUntil(() => other.letters().length === 1);
  expect(owner.letters()).toHaveLength(0);
});

test('a mail interrupted by a crash is sent again with the same id and content', async () => {
  const owner = await world.person('crashed');
  const mailId = randomUUID();
  const data = { about: 'batch', batchNumber: 9, finished: 3, failed: 0 };
  const now = new Date(world.auth.clock.now());
  await world.auth.database.admin.query(
    sql`INSERT INTO notices (user_id, kind, key, data, mail_id, created_at)
        VALUES (${owner.id}, 'match_finished', 'x', ${JSON.stringify(data)}, ${mailId}, ${now})`,
  );
  await world.auth.database.admin.query(
    sql`INSERT INTO notice_queues (user_id, kind, mail_id, tries, due_at)
        VALUES (${owner.id}, 'match_finished', ${mailId}, 1, ${new Date(now.getTime() + 120_000)})`,
  );
  await world.nats.jobEnded(world.testRun(owner));
  await world.settled();
  expect(owner.letters()).toHaveLength(0);
  world.auth.clock.advance(120_000);
  await waitUntil(() => owner.letters().length === 1);
  expect(owner.letters()[0]).toMatchObject({ subject: 'Batch 9 has ended', messageId: `<${mailId}@husky.test>` });
  await world.advanceClock(pauseMs);
  await waitUntil(() => owner.letters().length === 2);
  expect(owner.letters()[1]?.subject).toBe('Test run 7 has finished');
});

test('two replicas mail each notice once, even if one stops in between', async () => {
  const people: Person[] = [];
  for (let n = 0; n < 8; n++) people.push(await world.person(`shared-${n}`));
  const life = testLife('auth');
  await start(world.auth.config, life, () => new Date(world.auth.clock.now()));
  const rounds = 4;
  for (let round = 0; round < rounds; round++) {
    for (const one of people) await world.nats.jobEnded(world.testRun(one, { gameNumber: round + 1 }));
    if (round === 1) await life.stop();
    // NATS redelivers the messages of the stopped replica after half a minute.
    await waitUntil(() => people.every((one) => one.letters().length === round + 1), 60_000);
    await world.advanceClock(pauseMs);
  }
  await world.settled();
  for (const one of people) {
    const ids = one.letters().map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(rounds);
    expect(ids).toHaveLength(rounds);
  }
}, 120_000);
