import { createHash } from 'node:crypto';
import type { CommitmentRecord__Output } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import { canonicalJson, dealKey, type PublicFacts, recordText } from '@husky/match/commitment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { followKeys, noteKey, openHead, openNote, parseKey } from '@husky/match/signed-note';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { afterAll, expect, test, vi } from 'vitest';
import { queueCost } from '../src/domain/job.ts';
import { ensureSigningKey } from '../src/store/commitments.ts';
import { chooseNext } from '../src/store/queue.ts';
import { sweep } from '../src/work/sweeper.ts';
import { startBatchWorld } from './batch-world.ts';
import { admin, bot, sixUsers, user } from './start-service.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const anonymous = { caller: { kind: 'anonymous' } } as const;
const asAdmin = { caller: admin };
const match = () => world.service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
const job = (jobId: string) => world.service.gateway.getJob({ jobId }, asAdmin);

/** Reads the whole chain without signing in and checks every link. */
async function checkedChain(pageSize = 1000): Promise<CommitmentRecord__Output[]> {
  const chain: CommitmentRecord__Output[] = [];
  for (;;) {
    const after = chain.length;
    const page = await world.service.gateway.listCommitments({ after, limit: pageSize }, anonymous);
    chain.push(...page.records);
    if (chain.length < page.lastNumber) continue;
    let [number, previous, time] = [0, '0'.repeat(64), ''];
    for (const record of chain) {
      number += 1;
      expect(record).toMatchObject({ number, previous });
      expect(record.time >= time).toBe(true);
      expect(record.hash).toBe(sha256(recordText(record)));
      previous = record.hash;
      time = record.time;
    }
    expect(page).toMatchObject({ lastNumber: number, lastHash: number === 0 ? '' : previous });
    return chain;
  }
}

test('publishes a commitment, its input without the seed and its record before the match can be claimed', async () => {
  const { id } = await match();
  const { status, commitment, commitmentDetails } = await job(id);
  expect(status).toBe('PENDING');
  const record = commitmentDetails?.record;
  expect((await checkedChain()).filter(({ jobHash }) => jobHash === sha256(id))).toEqual([record]);
  expect(record).toMatchObject({ commitment, time: new Date(world.service.clock.now()).toISOString() });

  const assignment = await world.service.mustClaim();
  expect(assignment.jobId).toBe(id);
  expect(commitmentDetails?.publicInput).not.toContain('"seed":');
  await world.service.accept(assignment);
  const facts = JSON.parse(commitmentDetails?.publicInput ?? '') as PublicFacts;
  const { seedHex } = await world.service.gateway.getSeed({ jobId: id }, asAdmin);
  expect(sha256(canonicalJson({ ...facts, seed: seedHex }))).toBe(commitment);
  expect(Buffer.from(dealKey(Buffer.from(seedHex, 'hex'), facts))).toEqual(assignment.seed);
  expect((await job(id)).commitmentDetails).toEqual({ ...commitmentDetails, digest: 'd' });
});

test('commits to reset stacks and gives them to the runner and in the job', async () => {
  const { gateway } = world.service;
  const { id } = await gateway.createMatch({ userIds: sixUsers(), numRounds: 6, stacks: 'reset' }, asAdmin);
  const assignment = await world.service.mustClaim();
  expect(assignment).toMatchObject({ jobId: id, stacks: 'reset' });
  const { stacks, commitment, commitmentDetails } = await job(id);
  expect(stacks).toBe('reset');
  expect(JSON.parse(commitmentDetails?.publicInput ?? '')).toMatchObject({ stacks: 'reset' });
  await world.service.accept(assignment);
  const { commitmentInput } = await gateway.getSeed({ jobId: id }, asAdmin);
  expect(sha256(commitmentInput)).toBe(commitment);
  const unknown = gateway.createMatch({ userIds: sixUsers(), numRounds: 6, stacks: 'kept' }, asAdmin);
  await expect(unknown).rejects.toMatchObject({
    reason: 'match-invalid',
    message: "The stacks must be 'carry' or 'reset'.",
  });
});

test('appends the record of a job in preparation before it can be claimed', async () => {
  const requested = Promise.withResolvers<void>();
  const caller = user();
  world.service.doubles.prepare = () => {
    requested.resolve();
    return 'a'.repeat(64);
  };
  const { id, commitment } = await world.service.gateway.createTestRun(
    { ...bot, requirementsFile: Buffer.from('numpy') },
    { caller },
  );
  expect(commitment).toBe('');
  await requested.promise;
  const assignment = await vi.waitFor(() => world.service.mustClaim(), 10_000);
  expect(assignment.jobId).toBe(id);
  const { record, publicInput } = (await job(id)).commitmentDetails ?? {};
  expect(record?.jobHash).toBe(sha256(id));
  expect(publicInput).toContain('a'.repeat(64));
  await world.service.accept(assignment);
});

test('does not fork the chain when two replicas create jobs concurrently', async () => {
  const before = (await checkedChain()).length;
  const second = world.service.client('gateway', 1);
  const [batchId] = await Promise.all([
    world.createReady(sixUsers().concat(sixUsers()).slice(0, 9)),
    ...Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? world.service.gateway : second).createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin),
    ),
  ]);
  const chain = await checkedChain(7);
  // A plan of the batch and of each match.
  expect(chain.length - before).toBe(84 + 1 + 2 * 20);
  await world.remove(batchId);
  expect(await checkedChain()).toEqual(chain);
});

test('never decreases the times of records, even if the clock does', async () => {
  const { id } = await match();
  const { record } = (await job(id)).commitmentDetails ?? {};
  world.service.clock.advance(-60_000);
  const next = (await job((await match()).id)).commitmentDetails?.record;
  world.service.clock.advance(60_000);
  expect(next?.time).toBe(record?.time);
  await checkedChain();
});

test('appends the record of a waiting job from before the chain, but not of a finished one', async () => {
  await world.play(1000);
  const played = (await match()).id;
  await world.play(1);
  const waiting = (await match()).id;
  const { context, database } = world.service;
  const ids = `'${played}', '${waiting}'`;
  const hashes = [played, waiting].flatMap((id) => [`'${sha256(id)}'`, `'${sha256(`plan:${id}`)}'`]).join();
  // One query is one transaction: the sweeper sees all of it or nothing.
  await database.admin.query(
    `ALTER TABLE commitments DISABLE TRIGGER commitments_append_only;
     UPDATE jobs SET commitment_number = NULL WHERE id IN (${ids});
     DELETE FROM plans WHERE id IN (${ids});
     DELETE FROM commitments WHERE job_hash IN (${hashes});
     ALTER TABLE commitments ENABLE TRIGGER commitments_append_only`,
  );
  await sweep(context);
  const { commitment, commitmentDetails } = await job(waiting);
  expect(commitmentDetails?.record).toMatchObject({ commitment, jobHash: sha256(waiting) });
  expect((await job(played)).commitmentDetails).toMatchObject({ record: null });
  await checkedChain();
  const assignment = await world.service.mustClaim();
  expect(assignment.jobId).toBe(waiting);
  await world.service.accept(assignment);
});

test('gives no runner a job whose commitment is not in the chain', async () => {
  await world.play(1000);
  const { id } = await match();
  // In one transaction, so that the sweeper cannot append the record in between.
  const next = await inTransaction(world.service.pool, async (client) => {
    const { weights } = world.service.context.settings;
    const take = async () => (await chooseNext(client, RULES_VERSION, weights, queueCost))?.id;
    await client.query(sql`UPDATE jobs SET commitment_number = NULL WHERE id = ${id}`);
    const without = await take();
    await client.query(sql`UPDATE jobs SET commitment_number = 1 WHERE id = ${id}`);
    return [without, await take()];
  });
  expect(next).toEqual([undefined, id]);
});

test('refuses changes and deletions of records, even by the owner of the tables', async () => {
  await match();
  for (const change of [
    "UPDATE commitments SET commitment = 'x'",
    'DELETE FROM commitments',
    'TRUNCATE commitments CASCADE',
  ]) {
    await expect(world.service.database.admin.query(change), change).rejects.toThrow(
      'commitments are only ever appended',
    );
  }
});

test('returns the chain to everybody in pages of 1 to 1,000 records', async () => {
  for (const [after, limit] of [
    [-1, 1],
    [0, 0],
    [0, 1001],
  ] as const) {
    const requested = world.service.gateway.listCommitments({ after, limit }, anonymous);
    await expect(requested).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'page-invalid' });
  }
  const beyond = await world.service.gateway.listCommitments({ after: 999_999_999, limit: 5 }, anonymous);
  expect(beyond.records).toEqual([]);
  expect(beyond.lastNumber).toBeGreaterThan(0);
});

const readSignedHead = () => world.service.gateway.getSignedHead({}, anonymous);
const file = { sha256: 'ab'.repeat(32) };

test('two replicas that start make one key, and a later start makes none', async () => {
  expect((await readSignedHead()).keys).toHaveLength(1);
  await ensureSigningKey(world.service.pool, world.service.clock.now());
  const { keys } = await readSignedHead();
  expect(keys).toEqual([
    { key: expect.stringMatching(/^husky-holdem\/[0-9a-f]{16}[+]/), madeAt: expect.any(String), change: '' },
  ]);
});

test('signs the newest record as the head of the chain', async () => {
  const before = await readSignedHead();
  await world.service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const { keys, note, number, hash } = await readSignedHead();
  expect(number).toBeGreaterThan(before.number);
  expect(
    openHead(
      note,
      keys.map(({ key }) => parseKey(key)),
    ),
  ).toMatchObject({ number, hash });
  const { signedHead, lastHash } = await world.service.gateway.listCommitments({ after: 0, limit: 1 }, anonymous);
  expect([signedHead, lastHash]).toEqual([note, hash]);
});

test('signs a file only for who writes files of its kind, and never as a head', async () => {
  const refused = { reason: 'not-for-this-caller' };
  for (const caller of [anonymous, asAdmin])
    await expect(world.service.gateway.signFile({ kind: 'export', ...file }, caller)).rejects.toMatchObject(refused);
  for (const kind of ['match', 'export'])
    await expect(world.service.client('leaderboard').signFile({ kind, ...file })).rejects.toMatchObject(refused);
  await expect(world.service.liveData.signFile({ kind: 'match', ...file })).rejects.toMatchObject(refused);
  for (const wrong of [{ sha256: `${file.sha256}\n` }, { sha256: '' }, { kind: 'head' }, { kind: 'match\nx' }])
    await expect(world.service.gateway.signFile({ kind: 'match', ...file, ...wrong }, anonymous)).rejects.toMatchObject(
      {
        reason: 'file-invalid',
      },
    );
  const keys = (await readSignedHead()).keys.map(({ key }) => parseKey(key));
  for (const [kind, signed] of [
    ['export', world.service.liveData.signFile({ kind: 'export', ...file })],
    ['match', world.service.gateway.signFile({ kind: 'match', ...file }, anonymous)],
  ] as const) {
    const { note } = await signed;
    expect(openNote(note, keys).text).toBe(`${keys[0]?.name}/file\n${kind}\n${file.sha256}\n`);
    expect(() => openHead(note, keys)).toThrow('no head of a chain');
  }
});

test('an admin replaces the key: the old one names the new one, and its private part is deleted', async () => {
  const [old] = (await readSignedHead()).keys;
  const key = old?.key ?? '';
  await expect(world.service.gateway.changeSigningKey({ key }, { caller: user() })).rejects.toMatchObject({
    reason: 'not-admin',
  });
  const changes = await Promise.allSettled([1, 2].map(() => world.service.gateway.changeSigningKey({ key }, asAdmin)));
  expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(changes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { reason: 'signing-key-changed' },
  });
  const { keys, note } = await readSignedHead();
  const next = parseKey(keys[1]?.key ?? '');
  const published = keys.map((one) => ({ key: one.key, change: one.change || null }));
  expect(followKeys(parseKey(key), published).at(-1)).toEqual(next);
  expect(openHead(note, [next]).hash).toBe((await readSignedHead()).hash);
  const { rows } = await world.service.pool.query<{
    number: number;
    private_key: Buffer | null;
    public_key: Buffer;
    name: string;
  }>(sql`SELECT * FROM signing_keys ORDER BY number`);
  expect(rows.map((row) => row.private_key === null)).toEqual([true, false]);
  expect(rows.map((row) => noteKey(row.name, row.public_key).text)).toEqual(keys.map((one) => one.key));
  const audit = (await world.service.audited()).filter(({ action }) => action === 'signing_key.changed');
  expect(audit).toHaveLength(1);
  const secret = rows[1]?.private_key ?? Buffer.alloc(1);
  const shown = JSON.stringify([await readSignedHead(), audit]);
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(shown).not.toContain(secret.subarray(-32).toString(form));
});
