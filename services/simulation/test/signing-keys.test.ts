import { followKeys, noteKey, openHead, openNote, parseKey } from '@husky/match/signed-note';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { ensureSigningKey } from '../src/store/commitments.ts';
import { admin, sixUsers, startService, user } from './start-service.ts';

const service = await startService({}, 2);
afterAll(() => service.stop());

const anonymous = { caller: { kind: 'anonymous' } } as const;
const asAdmin = { caller: admin };
const read = () => service.gateway.getSignedHead({}, anonymous);
const sha256 = 'ab'.repeat(32);

test('two replicas that start make one key, and a later start makes none', async () => {
  expect((await read()).keys).toHaveLength(1);
  await ensureSigningKey(service.pool, service.clock.now());
  const { keys } = await read();
  expect(keys).toEqual([
    { key: expect.stringMatching(/^husky-holdem\/[0-9a-f]{16}[+]/), madeAt: expect.any(String), change: '' },
  ]);
});

test('signs the newest record as the head of the chain', async () => {
  const before = await read();
  await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const { keys, note, number, hash } = await read();
  expect(number).toBeGreaterThan(before.number);
  expect(
    openHead(
      note,
      keys.map(({ key }) => parseKey(key)),
    ),
  ).toMatchObject({ number, hash });
  const { signedHead, lastHash } = await service.gateway.listCommitments({ after: 0, limit: 1 }, anonymous);
  expect([signedHead, lastHash]).toEqual([note, hash]);
});

test('signs a file only for who writes files of its kind, and never as a head', async () => {
  const refused = { reason: 'not-for-this-caller' };
  for (const caller of [anonymous, asAdmin])
    await expect(service.gateway.signFile({ kind: 'export', sha256 }, caller)).rejects.toMatchObject(refused);
  for (const kind of ['match', 'export'])
    await expect(service.client('leaderboard').signFile({ kind, sha256 })).rejects.toMatchObject(refused);
  await expect(service.liveData.signFile({ kind: 'match', sha256 })).rejects.toMatchObject(refused);
  for (const wrong of [{ sha256: `${sha256}\n` }, { sha256: '' }, { kind: 'head' }, { kind: 'match\nx' }])
    await expect(service.gateway.signFile({ kind: 'match', sha256, ...wrong }, anonymous)).rejects.toMatchObject({
      reason: 'file-invalid',
    });
  const keys = (await read()).keys.map(({ key }) => parseKey(key));
  for (const [kind, signed] of [
    ['export', service.liveData.signFile({ kind: 'export', sha256 })],
    ['match', service.gateway.signFile({ kind: 'match', sha256 }, anonymous)],
  ] as const) {
    const { note } = await signed;
    expect(openNote(note, keys).text).toBe(`${keys[0]?.name}/file\n${kind}\n${sha256}\n`);
    expect(() => openHead(note, keys)).toThrow('no head of a chain');
  }
});

test('an admin replaces the key: the old one names the new one, and its private part is deleted', async () => {
  const [old] = (await read()).keys;
  const key = old?.key ?? '';
  await expect(service.gateway.changeSigningKey({ key }, { caller: user() })).rejects.toMatchObject({
    reason: 'not-admin',
  });
  const changes = await Promise.allSettled([1, 2].map(() => service.gateway.changeSigningKey({ key }, asAdmin)));
  expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(changes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { reason: 'signing-key-changed' },
  });
  const { keys, note } = await read();
  const next = parseKey(keys[1]?.key ?? '');
  const published = keys.map((one) => ({ key: one.key, change: one.change || null }));
  expect(followKeys(parseKey(key), published).at(-1)).toEqual(next);
  expect(openHead(note, [next]).hash).toBe((await read()).hash);
  const { rows } = await service.pool.query<{
    number: number;
    private_key: Buffer | null;
    public_key: Buffer;
    name: string;
  }>(sql`SELECT * FROM signing_keys ORDER BY number`);
  expect(rows.map((row) => row.private_key === null)).toEqual([true, false]);
  expect(rows.map((row) => noteKey(row.name, row.public_key).text)).toEqual(keys.map((one) => one.key));
  const audit = (await service.audited()).filter(({ action }) => action === 'signing_key.changed');
  expect(audit).toHaveLength(1);
  const secret = rows[1]?.private_key ?? Buffer.alloc(1);
  const shown = JSON.stringify([await read(), audit]);
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(shown).not.toContain(secret.subarray(-32).toString(form));
});
