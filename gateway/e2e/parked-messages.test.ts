import { userChanged } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { runningDatabaseUrl } from '../../scripts/up/database.ts';
import { adminToken, expectStatus, get, post } from './client.ts';

/** Parks a message of leaderboard, as its consumer does after eight deliveries. Returns its id. */
async function park(payload: Uint8Array, messageId: string): Promise<string> {
  const { dataDir } = inject('platform');
  const client = new pg.Client(runningDatabaseUrl(dataDir));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      sql`INSERT INTO leaderboard.parked_messages (durable, subject, message_id, payload, reason, deliveries, published_at)
       VALUES ('leaderboard_user_changed', ${userChanged.subject}, ${messageId}, ${Buffer.from(payload)}, 'a simulated failure', 8, now())
       RETURNING id`,
    );
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}

interface Listed {
  readonly id: string;
  readonly reason: string;
}

test('lists parked messages, replays and discards them, and records both in the audit log', async () => {
  const admin = await adminToken();
  const list = async (query = '') =>
    expectStatus(await get(`/admin/parked-messages?page_size=200${query}`, admin), 200).messages as Listed[];
  const good = await park(userChanged.encode({ userId: 'nobody', change: 'UPDATED' }), 'good');
  const bad = await park(Buffer.from([0xff, 0xff, 0xff, 0xff]), 'bad');
  const listed = await list();
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([good, bad]));
  expect(listed.find(({ id }) => id === bad)).toMatchObject({
    service: 'leaderboard',
    consumer: 'leaderboard_user_changed',
    message_id: 'bad',
    deliveries: 8,
    reason: 'a simulated failure',
    payload_bytes: 4,
    replay_requested_at: null,
  });
  expect((await list('&service=leaderboard')).map(({ id }) => id)).toContain(bad);
  expect((await list('&service=auth')).map(({ id }) => id)).not.toContain(bad);
  expectStatus(await get('/admin/parked-messages?service=pool', admin), 422);
  expectStatus(await get('/admin/parked-messages?page=6&page_size=200', admin), 400);

  for (const id of [good, bad]) {
    const requested = expectStatus(await post(`/admin/parked-messages/${id}/replay`, {}, admin), 200);
    expect(requested).toMatchObject({ id, service: 'leaderboard', replay_requested_at: expect.any(String) });
  }
  await vi.waitFor(
    async () => {
      const left = await list('&service=leaderboard');
      expect(left.map(({ id }) => id)).not.toContain(good);
      expect(left.find(({ id }) => id === bad)).toMatchObject({ deliveries: 9, replay_requested_at: null });
      expect(left.find(({ id }) => id === bad)?.reason).not.toContain('simulated');
    },
    { timeout: 30_000, interval: 500 },
  );

  expectStatus(await post(`/admin/parked-messages/${bad}/discard`, { reason: ' ' }, admin), 422);
  expectStatus(await post(`/admin/parked-messages/${bad}/discard`, { reason: 'malformed' }, admin), 200);
  expect((await list()).map(({ id }) => id)).not.toContain(bad);
  expect(expectStatus(await post(`/admin/parked-messages/${bad}/replay`, {}, admin), 404)).toMatchObject({
    reason: 'parked-message-unknown',
  });
  expectStatus(await post('/admin/parked-messages/none/discard', { reason: 'x' }, admin), 404);

  await vi.waitFor(
    async () => {
      const { records } = expectStatus(await get(`/admin/audit?subject=${bad}`, admin), 200);
      expect(records).toMatchObject([
        { action: 'parked_message.discarded', actor: 'admin', after: { reason: 'malformed' } },
        { action: 'parked_message.replayed', actor: 'admin', before: { failure: 'a simulated failure' } },
      ]);
    },
    { timeout: 30_000, interval: 500 },
  );
}, 120_000);
