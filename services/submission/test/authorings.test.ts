import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { readAuthoring } from '@husky/contracts/authoring';
import type { Caller } from '@husky/runtime/rpc/caller';
import { type Header, pack } from 'tar-stream';
import { afterAll, expect, test } from 'vitest';
import { deleteUser } from '../src/store/submissions.ts';
import { completeBot, files, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const round = {
  ok: true,
  verdict: 'The bot played without a fault.',
  bb_per_100: { mean: 12.5, low: null, high: null },
  tokens: { input: 1000, output: 200 },
  cost_usd: 0.0034,
};
const record = {
  format: 1,
  kit: '0.2.0',
  model: 'model-x',
  model_version: null,
  prompt: { name: 'husky', version: '1', sha256: 'ab'.repeat(32) },
  field: ['house'],
  hands: 400,
  rounds: [{ ...round, ok: false, verdict: 'The answer was empty.', bb_per_100: null }, round],
  best_round: 2,
  tokens: { input: 2000, output: 400 },
  cost_usd: null,
};
type Entry = readonly [header: string | (Partial<Header> & { name: string }), content?: string | Buffer];
const about = (changes: object = {}): Entry => ['authoring.json', JSON.stringify({ ...record, ...changes })];
const code = (player: string): Entry => ['round-02/player.py', player];

function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content = ''] of entries) {
    // Equal archives have equal times.
    tar.entry({ mtime: new Date(0), ...(typeof header === 'string' ? { name: header } : header) }, content);
  }
  tar.finalize();
  return buffer(tar);
}

const archive = async (...entries: readonly Entry[]) => gzipSync(await tarOf(entries));

/** Returns an archive whose first file claims to have 8 GiB. */
async function lying(): Promise<Buffer> {
  const bytes = await tarOf([about()]);
  bytes.write('77777777777', 124);
  bytes.fill(' ', 148, 156);
  const sum = bytes.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  bytes.write(sum.toString(8).padStart(6, '0'), 148);
  return gzipSync(bytes);
}

const zeros = Buffer.alloc(8 << 20);
const folder = (name: string): Entry => [{ name, type: 'directory' }];
const text = (value: string): Entry => ['authoring.json', value];
const inRecord = (field: string, value: unknown) => archive(about({ [field]: value }), code('x = 1\n'));
const hostile: readonly (readonly [name: string, made: Promise<Buffer>, refusal: RegExp])[] = [
  ['an empty file', Promise.resolve(Buffer.alloc(0)), /is damaged/],
  ['an end that is missing', archive(about()).then((bytes) => bytes.subarray(0, -40)), /is damaged/],
  ['more than 1 MiB', archive(about(), code(randomBytes(1 << 20).toString('base64'))), /larger than 1 MiB/],
  ['a bomb in a file', archive(about(), code(zeros.toString())), /takes more than 4 MiB unpacked/],
  ['a bomb behind the end', Promise.resolve(gzipSync(zeros)), /more than its files need/],
  ['a size that is a lie', lying(), /more than 4 MiB/],
  ['many files', archive(...Array.from({ length: 200 }, (_, at): Entry => folder(`${at}`))), /more than 151 files/],
  ['a path outside', archive([{ name: '../authoring.json' }, '{}']), /leads outside/],
  ['a huge name', archive([`${'n'.repeat(100_000)}`, 'x']), /a path of more than 30 bytes: n{80}…/],
  ['another file', archive(about(), ['round-01/key', 'x']), /does not belong there: round-01\/key/],
  ['round 51', archive(about(), ['round-51/player.py', 'x']), /does not belong there/],
  ['a file twice', archive(about(), about()), /holds a file twice/],
  ['a link', archive([{ name: 'authoring.json', type: 'symlink', linkname: '/etc/passwd' }]), /holds a symlink/],
  ['a hard link', archive([{ name: 'authoring.json', type: 'link', linkname: '/etc/passwd' }]), /holds a link/],
  ['a device', archive([{ name: 'authoring.json', type: 'character-device' }]), /holds a character-device/],
  ['no record', archive(code('x')), /has no authoring\.json/],
  ['no JSON', archive(text('{')), /is no JSON/],
  ['NaN', archive(text(JSON.stringify(record).replace('0.0034', 'NaN'))), /is no JSON/],
  ['an infinite number', archive(text(JSON.stringify(record).replace('0.0034', '1e999'))), /cost_usd: /],
  ['no UTF-8', archive(['round-02/player.py', Buffer.from([0x23, 0xff])]), /player\.py is no text in UTF-8/],
  ['an unknown field', inRecord('key', 'sk-1'), /authoring\.json: .*key/],
  ['a negative number', inRecord('hands', -1), /hands: /],
  ['two lines', inRecord('model', 'a\nb'), /model: must be one line of text/],
  ['text that turns around', inRecord('model', 'a\u202eb'), /model: must be one line of text/],
  ['no rounds', inRecord('rounds', []), /rounds: /],
  ['a best round that failed', inRecord('best_round', 1), /best_round: must be a round that played/],
];

test.each(hostile)('refuses an archive with %s', async (_, made, refusal) => {
  await expect(readAuthoring(await made)).rejects.toMatchObject({
    name: 'BadArchive',
    message: expect.stringMatching(refusal),
  });
});

test('shows how a submission was written to those whom its author lets see it', async () => {
  const owner = user(randomUUID());
  const userId = owner.kind === 'user' ? owner.id : '';
  const [visitor, admin] = [{ kind: 'anonymous' } as Caller, user(randomUUID(), { admin: true })];
  const player = `${completeBot}# <b>${userId}</b>\n`;
  const { id: submissionId, botHash } = await service.gateway.upload(files(player), { caller: owner });
  const upload = async (caller: Caller, changes = {}, bot = player) =>
    service.gateway.uploadAuthoring({ submissionId, archive: await archive(about(changes), code(bot)) }, { caller });
  const listed = async (caller: Caller) => (await service.gateway.listAuthorings({ userId }, { caller })).authorings;
  const readCode = (caller: Caller) => service.gateway.getAuthoringCode({ submissionId }, { caller });
  const show = (shown: string, caller = owner) => service.gateway.showAuthoring({ submissionId, shown }, { caller });

  const invalid = { code: 'INVALID_ARGUMENT', reason: 'authoring-invalid' };
  await expect(upload(owner, { model: '' })).rejects.toMatchObject({
    ...invalid,
    message: /^Authoring\.json: model: /,
  });
  await expect(upload(owner, {}, completeBot)).rejects.toMatchObject({
    ...invalid,
    message: /not that of the submission/,
  });
  await expect(upload(admin)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(show('rounds')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const stored = { submissionId, botHash, shown: 'private', recordJson: JSON.stringify(record) };
  expect(await upload(owner)).toMatchObject(stored);
  expect(await upload(owner)).toMatchObject(stored);
  await expect(upload(owner, { model: 'other' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });

  const everybody = [visitor, user(randomUUID())];
  for (const [shown, lists, code] of [
    ['private', 0, false],
    ['rounds', 1, false],
    ['code', 1, true],
  ] as const) {
    expect(await show(shown)).toMatchObject({ shown });
    for (const caller of everybody) {
      expect(await listed(caller), shown).toHaveLength(lists);
      if (code) expect((await readCode(caller)).rounds).toMatchObject([{ round: 2, playerFile: Buffer.from(player) }]);
      else await expect(readCode(caller)).rejects.toMatchObject({ code: /UNAUTHENTICATED|PERMISSION_DENIED/ });
    }
    for (const caller of [owner, admin]) {
      expect(await listed(caller)).toMatchObject([{ shown }]);
      expect((await readCode(caller)).rounds).toHaveLength(1);
    }
  }
  await expect(show('all')).rejects.toMatchObject(invalid);
  for (const caller of [admin, everybody[1] ?? admin])
    await expect(show('private', caller)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await service.gateway.deleteAuthoring({ submissionId }, { caller: admin });
  expect(await listed(owner)).toEqual([]);
  const { rows } = await service.pool.query<{ payload: Buffer }>('SELECT payload FROM outbox ORDER BY id');
  const actions = rows.flatMap(({ payload }) => /authoring\.\w+/.exec(payload.toString('latin1')) ?? []);
  expect(actions.map(String)).toEqual([
    'authoring.uploaded',
    'authoring.shown',
    'authoring.shown',
    'authoring.deleted',
  ]);

  // It goes with its submission, and with its author.
  const left = async () => (await service.pool.query('SELECT FROM authorings')).rowCount;
  await upload(owner);
  await service.gateway.deleteSubmission({ submissionId }, { caller: owner });
  expect(await left()).toBe(0);
  const other = await service.gateway.upload(files(player), { caller: owner });
  await service.gateway.uploadAuthoring(
    { submissionId: other.id, archive: await archive(about(), code(player)) },
    { caller: owner },
  );
  await deleteUser(service.pool, userId);
  expect(await left()).toBe(0);
});
