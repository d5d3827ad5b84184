import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test } from 'vitest';
import { readBotFiles } from '../src/domain/bot-files.ts';
import { keptVersions } from '../src/store/bots.ts';
import { collectGarbage } from '../src/store/garbage.ts';
import { deleteUser } from '../src/store/submissions.ts';
import { completeBot, files, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const bot = (note: string) => `${completeBot}# ${note}\n`;
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
