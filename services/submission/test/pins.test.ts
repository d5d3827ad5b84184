import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { expectPinsContract } from '@husky/testkit/contracts';
import { refusal } from '@husky/testkit/refusal';
import { testIdentities } from '@husky/testkit/servers';
import { afterAll, expect, test } from 'vitest';
import { readBotFiles } from '../src/domain/bot-files.ts';
import { keptVersions } from '../src/store/bots.ts';
import { collectGarbage } from '../src/store/garbage.ts';
import { deleteUser } from '../src/store/submissions.ts';
import { completeBot, files, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const lease = (reads: readonly string[]): Promise<string> => {
  const caller: Caller = { kind: 'lease', jobId: randomUUID(), attempt: 1, runner: 'runner-1', reads };
  return testIdentities().signerOf('simulation').sign(['simulation', 'submission', 'live-data'], caller, 60);
};
const bot = (note: string) => `${completeBot}# ${note}\n`;

async function withFinal(note: string) {
  const id = randomUUID();
  const made = await service.gateway.upload(files(bot(note)), { caller: user(id) });
  await service.gateway.markFinal({ submissionId: made.id }, { caller: user(id) });
  return { id, submissionId: made.id };
}

test('pins final submissions in the order of the request, or pins nothing and returns the users without one', async () => {
  const players = await Promise.all(['a', 'b', 'c'].map(withFinal));
  const ids = players.map((player) => player.id).reverse();
  const holderId = randomUUID();
  const stranger = randomUUID();
  const refused = await service.simulation.pinFinals({ holderId, userIds: [...ids, stranger] });
  expect(refused).toEqual({ pins: [], missingUserIds: [stranger] });
  const { pins, missingUserIds } = await service.simulation.pinFinals({ holderId, userIds: ids });
  expect(missingUserIds).toEqual([]);
  expect(pins.map((pin) => pin.userId)).toEqual(ids);
  const { rows } = await service.pool.query(sql`SELECT count(*)::int AS pins FROM pins WHERE holder_id = ${holderId}`);
  expect(rows).toEqual([{ pins: 3 }]);
});

test('keeps pinned files after the deletion of their submission and user until they are released', async () => {
  const player = await withFinal('outlives');
  const holderId = randomUUID();
  const { pins } = await service.simulation.pinFinals({ holderId, userIds: [player.id] });
  const botHash = pins[0]?.botHash ?? '';
  await service.gateway.deleteSubmission({ submissionId: player.submissionId }, { caller: user(player.id) });
  await deleteUser(service.pool, player.id);
  await collectGarbage(service.pool, new Date());
  const token = await lease([botHash]);
  const fetched = await service.simulation.fetchBot({ botHash }, { token });
  expect(fetched.playerFile.toString()).toBe(bot('outlives'));

  await service.simulation.releasePins({ holderId });
  await service.simulation.releasePins({ holderId });
  expect(await collectGarbage(service.pool, new Date(Date.now() - 60_000))).toBe(0);
  await collectGarbage(service.pool, new Date());
  await expect(service.simulation.fetchBot({ botHash }, { token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { rows } = await service.pool.query(
    sql`SELECT 1 FROM blobs WHERE hash = ${readBotFiles(Buffer.from(bot('outlives')), Buffer.alloc(0)).playerHash}`,
  );
  expect(rows).toEqual([]);
});

test('refuses uploads of a deleted user', async () => {
  const id = randomUUID();
  await service.gateway.upload(files(), { caller: user(id) });
  await deleteUser(service.pool, id);
  await deleteUser(service.pool, id);
  await expect(service.gateway.upload(files(), { caller: user(id) })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect((await service.gateway.listSubmissions({}, { caller: user(id) })).submissions).toEqual([]);
});

test('lets a lease fetch only the files of its match', async () => {
  const holderId = randomUUID();
  const mine = await service.simulation.stageBot({ holderId, userId: randomUUID(), files: files(bot('mine')) });
  const other = await service.simulation.stageBot({ holderId, userId: randomUUID(), files: files(bot('other')) });
  const token = await lease([mine.botHash]);
  const fetched = await service.simulation.fetchBot({ botHash: mine.botHash }, { token });
  expect(fetched).toEqual(files(bot('mine')));
  const refused = { code: 'PERMISSION_DENIED' };
  await expect(service.simulation.fetchBot({ botHash: other.botHash }, { token })).rejects.toMatchObject(refused);
  await expect(service.simulation.fetchBot({ botHash: mine.botHash })).rejects.toMatchObject(refused);
  const stranger = { caller: user(randomUUID()) };
  await expect(service.gateway.fetchBot({ botHash: mine.botHash }, stranger)).rejects.toMatchObject(refused);
  const packages = service.simulation.fetchPackages({ packagesHash: 'x' }, { token });
  const read = async () => {
    for await (const part of packages) expect(part).toBeUndefined();
  };
  await expect(read()).rejects.toMatchObject(refused);
});

test('stores the house bot at start and does not collect it as garbage', async () => {
  await collectGarbage(service.pool, new Date());
  const pin = await service.simulation.pinHouse({ holderId: randomUUID() });
  expect(pin.userId).toBe('00000000-0000-8000-8000-000000000001');
  const token = await lease([pin.botHash]);
  const fetched = await service.simulation.fetchBot({ botHash: pin.botHash }, { token });
  expect(fetched.playerFile.toString()).toContain('class SimplePlayer');
});

test('lets only simulation stage and pin bots', async () => {
  const caller = user(randomUUID(), { admin: true });
  const refused = { code: 'PERMISSION_DENIED' };
  const holder = { holderId: randomUUID() };
  await expect(service.gateway.stageBot({ ...holder, files: files() }, { caller })).rejects.toMatchObject(refused);
  await expect(service.gateway.pinHouse(holder, { caller })).rejects.toMatchObject(refused);
  await expect(service.gateway.pinFinals(holder, { caller })).rejects.toMatchObject(refused);
  await expect(service.gateway.releasePins(holder, { caller })).rejects.toMatchObject(refused);
  await expect(service.gateway.preparePackages({ botHash: 'x' }, { caller })).rejects.toMatchObject(refused);
});

test('submission fulfils the contract that simulation relies on', async () => {
  const withFinal = [randomUUID(), randomUUID()];
  let upload = { submissionId: '', userId: '' };
  for (const id of withFinal) {
    const caller = user(id);
    const { id: submissionId } = await service.gateway.upload(files(), { caller });
    upload = { submissionId, userId: id };
    await service.gateway.markFinal({ submissionId }, { caller });
  }
  const withoutFinal = randomUUID();
  await expectPinsContract(service.simulation, { withFinal, withoutFinal, upload, player: completeBot });
});

const hashOf = (note: string) => readBotFiles(Buffer.from(bot(note)), Buffer.alloc(0)).botHash;

/** Stages a bot for a test run and releases its pins, as simulation does when the test run has ended. */
async function stageTestRun(userId: string, note: string): Promise<string> {
  const holderId = randomUUID();
  const { botHash } = await service.simulation.stageBot({ holderId, userId, files: files(bot(note)) });
  await service.simulation.releasePins({ holderId });
  return botHash;
}
const versionOf = (userId: string, botHash: string, caller = user(userId)) =>
  service.gateway.getBotVersion({ userId, botHash }, { caller });

test('returns the code of an ended test run and of the version before it, to its author and admins only', async () => {
  const id = randomUUID();
  await service.gateway.upload(files(bot('née 1 ♠')), { caller: user(id) });
  const botHash = await stageTestRun(id, 'née 2 ♠');
  await collectGarbage(service.pool, new Date());
  for (const caller of [user(id), user(randomUUID(), { admin: true })]) {
    const { version, previous } = await versionOf(id, botHash, caller);
    expect(version).toMatchObject({ botHash, playerFile: Buffer.from(bot('née 2 ♠')) });
    expect(previous).toMatchObject({ botHash: hashOf('née 1 ♠'), playerFile: Buffer.from(bot('née 1 ♠')) });
  }
  expect((await versionOf(id, hashOf('née 1 ♠'))).previous).toBeNull();
  expect(await refusal(versionOf(id, botHash, user(randomUUID())))).toMatch(/^PERMISSION_DENIED/);
  expect(await refusal(versionOf(id, 'f'.repeat(64)))).toMatch(/^NOT_FOUND version-not-found/);
});

test("never returns another user's bot for a hash that the caller knows", async () => {
  const id = randomUUID();
  const botHash = await stageTestRun(id, 'theirs');
  const stranger = randomUUID();
  expect(await refusal(versionOf(stranger, botHash))).toMatch(/^NOT_FOUND version-not-found/);
});

test('deletes the code of a deleted submission and of a deleted user', async () => {
  const id = randomUUID();
  const { id: submissionId } = await service.gateway.upload(files(bot('withdrawn')), { caller: user(id) });
  const other = { ...files(bot('withdrawn')), nonce: '1'.repeat(64) };
  const twin = await service.gateway.upload(other, { caller: user(id) });
  const staged = await stageTestRun(id, 'tested only');
  await service.gateway.deleteSubmission({ submissionId }, { caller: user(id) });
  expect((await versionOf(id, hashOf('withdrawn'))).version).not.toBeNull();
  await service.gateway.deleteSubmission({ submissionId: twin.id }, { caller: user(id) });
  expect(await refusal(versionOf(id, hashOf('withdrawn')))).toMatch(/^NOT_FOUND/);
  await deleteUser(service.pool, id);
  expect(await refusal(versionOf(id, staged))).toMatch(/^NOT_FOUND/);
  await stageTestRun(id, 'after the deletion');
  expect(await refusal(versionOf(id, hashOf('after the deletion')))).toMatch(/^NOT_FOUND/);
});

test(`keeps the newest ${keptVersions} versions of a user and those of its submissions`, async () => {
  const id = randomUUID();
  await service.gateway.upload(files(bot('kept')), { caller: user(id) });
  const notes = Array.from({ length: keptVersions }, (_, n) => `version ${n}`);
  for (const note of notes) await stageTestRun(randomUUID(), note);
  await service.pool.query(
    sql`INSERT INTO bot_versions (user_id, bot_hash, first_used_at, last_used_at)
        SELECT ${id}, hash, now() - interval '1 hour', now() - interval '1 hour' FROM bots WHERE hash = ANY (${notes.map(hashOf)})`,
  );
  await stageTestRun(id, 'newest');
  const { rows } = await service.pool.query(sql`SELECT bot_hash FROM bot_versions WHERE user_id = ${id}`);
  const hashes = rows.map((row: { bot_hash: string }) => row.bot_hash);
  expect(hashes).toHaveLength(keptVersions);
  expect(hashes).toEqual(expect.arrayContaining([hashOf('newest'), hashOf('kept')]));
});
