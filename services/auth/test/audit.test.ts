import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import type { AuditRecord__Output } from '@husky/contracts/types/auth/v1/AuditRecord';
import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import type { Caller } from '@husky/runtime/rpc/caller';
import { withRequestId } from '@husky/runtime/telemetry/request-id';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from './service.ts';

let auth: AuthUnderTest;
let admin: Caller & { kind: 'user' };
beforeAll(async () => {
  auth = await startAuth();
  admin = (await auth.signInAdmin()) as typeof admin;
});
afterAll(() => auth.stop());

const list = (request: object = {}) => auth.client.listAudit({ pageSize: 100, ...request }, { caller: admin });
const actionsOf = (records: readonly AuditRecord__Output[]) => records.map((record) => record.action);
const tick = () => auth.clock.advance(1000);

test('records who did what to whom, with the values before and after and the request id', async () => {
  const session = await auth.register('audited');
  const subjectId = session.user?.id ?? '';
  tick();
  await withRequestId('request-of-a-test', () =>
    auth.client.toggleVerified({ username: 'audited' }, { caller: admin }),
  );
  tick();
  await auth.client.toggleAdmin({ username: 'audited' }, { caller: admin });
  tick();
  const again = await auth.client.login(
    { username: 'audited', password: goodPassword, address: '10.0.0.9' },
    { caller: anonymous },
  );
  tick();
  await auth.client.logout({ accessToken: again.accessToken }, { caller: await auth.callerOf(again.accessToken) });
  tick();
  await auth.client.deleteUser({ username: 'audited' }, { caller: admin });
  const { records, total } = await list({ subjectId });
  const expected = ['user.deleted', 'user.signed_out', 'user.signed_in', 'user.role_changed'];
  expect(actionsOf(records)).toEqual([...expected, 'user.verification_changed', 'user.registered']);
  expect(total).toBe(6);
  expect(records[4]).toMatchObject({
    actorId: admin.id,
    actorKind: 'user',
    subjectKind: 'user',
    beforeJson: '{"verified":false}',
    afterJson: '{"verified":true}',
    requestId: 'request-of-a-test',
  });
  expect(records[2]).toMatchObject({ actorId: subjectId, address: '10.0.0.9' });
  expect((await list({ actorId: admin.id, subjectId })).total).toBe(3);
  expect(actionsOf((await list({ q: 'REQUEST of-a-te' })).records)).toEqual(['user.verification_changed']);
  expect((await list({ q: `registered ${subjectId}` })).total).toBe(1);
  expect((await list({ q: 'nosuchword' })).total).toBe(0);
  expect((await list({ q: "'); --" })).total).toBe(0);
  const [, , third] = records;
  expect((await list({ subjectId, from: third?.occurredAt })).total).toBe(3);
  expect((await list({ subjectId, to: third?.occurredAt, action: 'user.signed_in' })).total).toBe(1);
});

test('returns the same records by page number and by cursor', async () => {
  const all = (await list()).records;
  expect(all.length).toBeGreaterThan(5);
  const byPage = [
    (await list({ page: 1, pageSize: 3 })).records,
    (await list({ page: 2, pageSize: 3 })).records,
  ].flat();
  expect(byPage).toEqual(all.slice(0, 6));
  const byCursor: AuditRecord__Output[] = [];
  for (let cursor = ''; ; ) {
    const page = await list({ cursor, pageSize: 3, withoutTotal: true });
    byCursor.push(...page.records);
    cursor = page.nextCursor;
    if (cursor === '') break;
  }
  expect(byCursor).toEqual(all);
});

test('records failed sign-ins of known and unknown names, up to a limit', async () => {
  const { user } = await auth.register('guessed');
  const guess = (username: string) =>
    refusal(auth.client.login({ username, password: 'wrong', address: '10.1.1.1' }, { caller: anonymous }));
  await guess('guessed');
  await guess('nobody-at-all');
  const { records } = await list({ action: 'user.sign_in_failed' });
  expect(records.map((record) => record.subjectId).sort()).toEqual(['', user?.id].sort());
  expect(JSON.stringify(records)).not.toMatch(/wrong|nobody-at-all/);
  for (let attempt = 0; attempt < 40; attempt++) {
    auth.clock.advance(60_000);
    await guess('guessed');
  }
  expect((await list({ action: 'user.sign_in_failed', subjectId: user?.id })).total).toBeLessThanOrEqual(21);
}, 60_000);

test('stores audit events of other services, deduplicated by id', async () => {
  const simulation = await connectNats(await testNats('simulation'), createLogger('test', 'fatal'), 'simulation');
  const message = {
    id: randomUUID(),
    action: 'job.deleted',
    actorId: admin.id,
    actorKind: 'user',
    subjectKind: 'job',
    subjectId: randomUUID(),
    beforeJson: '{"status":"Running"}',
    requestId: 'abcdefgh',
    occurredAt: new Date().toISOString(),
  };
  const event = audited('simulation');
  const send = () => simulation.publish(event.subject, event.encode(message), randomUUID(), '');
  const stored = async () => (await list({ subjectId: message.subjectId })).records;
  await send();
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), 15_000);
  await send();
  await simulation.close();
  expect(await stored()).toMatchObject([{ action: 'job.deleted', beforeJson: '{"status":"Running"}' }]);
});

test('lets the service neither change nor delete records, and only admins read them', async () => {
  const url = new URL(auth.database.url);
  url.password = auth.database.password;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const sql of [
      "UPDATE auth.audit_records SET action = 'x'",
      'DELETE FROM auth.audit_records',
      'TRUNCATE auth.audit_records',
      'DROP TABLE auth.audit_records',
    ]) {
      await expect(client.query(sql)).rejects.toThrow(/permission denied|must be owner/);
    }
    expect((await client.query('SELECT count(*)::int AS n FROM auth.audit_records')).rows[0].n).toBeGreaterThan(0);
  } finally {
    await client.end();
  }
  const { accessToken } = await auth.register('curious');
  expect(await refusal(auth.client.listAudit({}, { caller: await auth.callerOf(accessToken) }))).toMatch(
    /^PERMISSION_DENIED/,
  );
  expect(await refusal(auth.client.listAudit({}, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED/);
});

test('finds rare and frequent words in many records, and caches the total of frequent ones', async () => {
  const insert = (count: number, words: string) =>
    auth.database.admin.query(
      sql`INSERT INTO audit_records (id, occurred_at, action, actor_kind, subject_kind, subject_id, before_json, after_json, request_id, address)
       SELECT gen_random_uuid(), '2020-01-01'::timestamptz + n * interval '1 second', 'job.created', 'service', 'job',
         'many-' || n, '', ${words}, '', ''
       FROM generate_series(1, ${count}) AS n`,
    );
  await insert(10_050, 'frequentword');
  await insert(3, 'rareword');
  const rare = await list({ q: 'rareword', pageSize: 2 });
  expect([rare.total, rare.records.map(({ subjectId }) => subjectId)]).toEqual([3, ['many-3', 'many-2']]);
  const next = await list({ q: 'rareword', pageSize: 2, cursor: rare.nextCursor });
  expect([next.total, next.records.map(({ subjectId }) => subjectId)]).toEqual([3, ['many-1']]);
  const frequent = await list({ q: 'frequentword', pageSize: 2, page: 2 });
  expect([frequent.total, frequent.records.map(({ subjectId }) => subjectId)]).toEqual([
    10_050,
    ['many-10048', 'many-10047'],
  ]);
  await Promise.all([insert(1, 'frequentword'), insert(1, 'rareword')]);
  expect((await list({ q: 'frequentword', pageSize: 2 })).total).toBe(10_050);
  expect((await list({ q: 'rareword', pageSize: 2 })).total).toBe(4);
});
