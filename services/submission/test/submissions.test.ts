import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { afterAll, expect, test } from 'vitest';
import { saveEventSettings } from '../src/store/quota.ts';
import { completeBot, files, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const admin = user(randomUUID(), { admin: true });

test('stores an upload and returns both files to their owner and admins only', async () => {
  const owner = user(randomUUID());
  const made = await service.gateway.upload(files(completeBot, '# none\n'), { caller: owner });
  expect(made).toMatchObject({ userId: owner.kind === 'user' && owner.id, final: false });
  for (const caller of [owner, admin]) {
    const player = await service.gateway.getFile({ fileId: made.playerFileId }, { caller });
    expect(player).toMatchObject({ fileName: 'player.py' });
    expect(player.data.toString()).toBe(completeBot);
    const requirements = await service.gateway.getFile({ fileId: made.requirementsFileId }, { caller });
    expect(requirements).toMatchObject({ fileName: 'requirements.txt', data: Buffer.from('# none\n') });
    expect(await service.gateway.getSubmission({ submissionId: made.id }, { caller })).toEqual(made);
  }
  const stranger = { caller: user(randomUUID()) };
  const refused = { code: 'PERMISSION_DENIED' };
  await expect(service.gateway.getFile({ fileId: made.playerFileId }, stranger)).rejects.toMatchObject(refused);
  await expect(service.gateway.getSubmission({ submissionId: made.id }, stranger)).rejects.toMatchObject(refused);
  await expect(service.gateway.deleteSubmission({ submissionId: made.id }, stranger)).rejects.toMatchObject(refused);
  await expect(service.gateway.markFinal({ submissionId: made.id }, stranger)).rejects.toMatchObject(refused);
});

test('stores the nonce of an upload once, and gives it with the pin of the final submission', async () => {
  const owner = user(randomUUID());
  const upload = (nonce: string) => service.gateway.upload({ ...files(completeBot, ''), nonce }, { caller: owner });
  const nonce = 'ab'.repeat(32);
  const made = await upload(nonce);
  expect(made.nonce).toBe(nonce);
  const other = { ...files(), nonce };
  const used = { code: 'ALREADY_EXISTS', reason: 'nonce-used' };
  await expect(service.gateway.upload(other, { caller: owner })).rejects.toMatchObject(used);
  for (const wrong of ['AB'.repeat(32), 'ab', `${nonce}00`, 'xy'.repeat(32)])
    await expect(upload(wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'nonce-invalid' });
  expect((await upload('')).nonce).toBe('');
  await service.gateway.markFinal({ submissionId: made.id }, { caller: owner });
  const userIds = [owner.kind === 'user' ? owner.id : ''];
  const { pins } = await service.simulation.pinFinals({ holderId: randomUUID(), userIds });
  expect(pins).toMatchObject([{ nonce }]);
});

test('the same files of a user within a minute are one submission, also above the quota and while the event is frozen', async () => {
  const caller = user(randomUUID());
  const sent = files();
  const once = () => service.gateway.upload(sent, { caller, timeoutMs: 60_000 });
  const ids = (await Promise.all(Array.from({ length: 20 }, once))).map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  const kept = async () => (await service.gateway.listSubmissions({}, { caller })).submissions.length;
  expect(await kept()).toBe(1);
  const { rows } = await service.pool.query(sql`SELECT 1 FROM upload_marks WHERE submission_id = ${ids[0]}`);
  expect(rows).toHaveLength(1);
  // Other users, files and nonces are other uploads, and so is a later one.
  await service.gateway.upload(sent, { caller: user(randomUUID()) });
  await service.gateway.upload({ ...sent, nonce: randomBytes(32).toString('hex') }, { caller });
  for (let n = 0; n < 3; n++) await service.gateway.upload(files(), { caller });
  expect(await kept()).toBe(5);
  await saveEventSettings(service.pool, { version: 1, frozen: true });
  expect((await once()).id).toBe(ids[0]);
  await saveEventSettings(service.pool, { version: 2, frozen: false });
  await service.pool.query(
    sql`UPDATE submissions SET created_at = created_at - interval '1 minute' WHERE id = ${ids[0]}`,
  );
  await expect(once()).rejects.toMatchObject({ reason: 'too-many-submissions' });
});

test('returns NOT_FOUND for unknown and malformed ids', async () => {
  const caller = user(randomUUID());
  for (const id of [randomUUID(), 'nonsense', '']) {
    const notFound = { code: 'NOT_FOUND' };
    await expect(service.gateway.getSubmission({ submissionId: id }, { caller })).rejects.toMatchObject(notFound);
    await expect(service.gateway.getFile({ fileId: id }, { caller })).rejects.toMatchObject(notFound);
    await expect(service.gateway.signFileLink({ fileId: id }, { caller })).rejects.toMatchObject(notFound);
  }
});

test('refuses callers who are not verified users', async () => {
  const unverified = { caller: user(randomUUID(), { verified: false }) };
  const refused = { code: 'PERMISSION_DENIED', reason: 'not-verified' };
  await expect(service.gateway.upload(files(), unverified)).rejects.toMatchObject(refused);
  await expect(service.gateway.listSubmissions({}, unverified)).rejects.toMatchObject(refused);
  const anonymous = { caller: { kind: 'anonymous' } } as const;
  await expect(service.gateway.upload(files(), anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const notAdmin = { caller: user(randomUUID()) };
  await expect(service.gateway.countSubmissions({}, notAdmin)).rejects.toMatchObject({ reason: 'not-admin' });
  await expect(service.gateway.listUsersWithFinal({}, notAdmin)).rejects.toMatchObject({ reason: 'not-admin' });
});

test.each([
  ['', '', 'player.py is empty.'],
  ['def f(:\n  pass\n', '', 'player.py has a syntax error in line 1: invalid syntax.'],
  ['x = 1\n', '', 'player.py has no class SimplePlayer at module level.'],
  [completeBot, 'numpy\n-e .\n', 'Line 2 of requirements.txt installs a project'],
  [completeBot, 'random\n', "names random, which is part of Python's standard library"],
  [`x = ${'-'.repeat(240_000)}1`, '', 'player.py is nested too deeply or is too complex to be checked.'],
  [`x = ${'('.repeat(100_000)}`, '', 'player.py has a syntax error in line 1'],
])('refuses an upload that is not a bot: %#', async (player, requirements, message) => {
  const caller = user(randomUUID());
  await expect(service.gateway.upload(files(player, requirements), { caller })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(message),
  });
  const staged = { holderId: randomUUID(), userId: randomUUID(), files: files(player, requirements) };
  await expect(service.simulation.stageBot(staged)).rejects.toMatchObject({
    message: expect.stringContaining(message),
  });
});

const diamonds = Array.from({ length: 60 }, (_, index) => `class C${index + 1}(C${index}, C${index}): pass\n`);
test.each([
  ['500,000 lines', 'x\n'.repeat(500_000), 'player.py has 500,000 lines; at most 50,000 are allowed.'],
  ['60,000 classes', 'class A: 0\n'.repeat(60_000), 'player.py has 60,000 lines; at most 50,000 are allowed.'],
  [
    '20,000 functions',
    'def f(): 0\n'.repeat(20_000),
    'player.py defines more than 4,000 functions, classes, lambdas and comprehensions.',
  ],
  [
    'a list of 500,000 numbers',
    `x = [${'1,'.repeat(500_000)}]\n`,
    'player.py has 1,000,004 words and operators; at most 250,000 are allowed.',
  ],
  [
    '45,000 comparisons',
    'x<x\n'.repeat(45_000),
    'player.py is too large: its syntax tree has more than 250,000 nodes.',
  ],
  [
    'a call of 40,000 keywords',
    `x = dict(${Array.from({ length: 40_000 }, (_, index) => `a${index}=0`)})\n`,
    'player.py has 40,000 keywords in one call, class or pattern in line 1; at most 2,000 are allowed.',
  ],
  [
    'a class pattern of 3,000 keywords',
    `match x:\n case A(${Array.from({ length: 3000 }, (_, index) => `a${index}=_`)}): 0\n`,
    'player.py has 3,000 keywords in one call, class or pattern in line 2; at most 2,000 are allowed.',
  ],
  [
    '1,000 names around 1,000 lambdas',
    `def f():\n${Array.from({ length: 1000 }, (_, index) => ` a${index} = 0\n lambda: 0\n`).join('')}`,
    'player.py has 1,000,000 names in functions, each counted for every function inside; at most 500,000 are allowed.',
  ],
  [
    'an f-string of 20,000 fields',
    `x = f'${'{a}'.repeat(20_000)}'\n`,
    'player.py has 20,000 fields in one f-string; at most 5,000 are allowed.',
  ],
  [
    'a chain of 1,000 elifs',
    `if x: pass\n${'elif x: pass\n'.repeat(1000)}`,
    'player.py is nested more than 900 levels deep.',
  ],
  [
    'sixty classes with two bases each',
    `class C0: pass\n${diamonds.join('')}SimplePlayer = C60\n`,
    'The class SimplePlayer in line 61 of player.py lacks the methods on_start, on_round_start,',
  ],
])('refuses player.py with %s with a one-sentence reason', async (_name, player, message) => {
  await expect(service.gateway.upload(files(player), { caller: user(randomUUID()) })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'bot-invalid',
    message: expect.stringContaining(message),
  });
});

test('checks an upload beside the dear ones of one account, not after them', async () => {
  const dear = files('if a: b\n'.repeat(40_000));
  const ended: string[] = [];
  const upload = (who: string, id: string, sent: ReturnType<typeof files>) =>
    service.gateway.upload(sent, { caller: user(id) }).catch(() => ended.push(who));
  const mallory = randomUUID();
  const all = Array.from({ length: 4 }, () => upload('mallory', mallory, dear));
  await Promise.all([...all, upload('alice', randomUUID(), files('x = 1\n'))]);
  expect(ended.indexOf('alice')).toBeLessThanOrEqual(1);
});

test('accepts a bot of 20,000 lines with a large table', async () => {
  const method = (index: number) => `    def weigh_${index}(self, card):
        if card in self.seen and len(self.seen) > ${index}:
            return list(self.table)
        elif self.money['chips'] < ${index}:
            raise ValueError(f"no card {card!r} in {self.hand}")
        self.history.append((card, self.street, self.pot))
        return self.rank(card) + 0.${index}

`;
  const table = `TABLE = {${Array.from({ length: 5000 }, (_, index) => `'k${index}':${index},`).join('')}}\n`;
  const methods = Array.from({ length: 2500 }, (_, index) => method(index));
  const player = `${table}${completeBot}\n${methods.join('')}`;
  expect(player.split('\n').length).toBeGreaterThan(20_000);
  await service.gateway.upload(files(player), { caller: user(randomUUID()), timeoutMs: 60_000 });
});

test('answers an upload and a test run of a bot that the check cannot see with a warning', async () => {
  const packed = files("exec('class SimplePlayer: pass')\n");
  const warnings = [expect.stringContaining('exec in line 1')];
  expect(await service.gateway.upload(packed, { caller: user(randomUUID()) })).toMatchObject({ warnings });
  const staged = { holderId: randomUUID(), userId: randomUUID(), files: packed };
  expect(await service.simulation.stageBot(staged)).toMatchObject({ warnings });
});

test('refuses the sixth submission, even if uploads are concurrent', async () => {
  const caller = user(randomUUID());
  const uploads = await Promise.allSettled(
    Array.from({ length: 7 }, () => service.gateway.upload(files(), { caller, timeoutMs: 30_000 })),
  );
  expect(uploads.filter((upload) => upload.status === 'fulfilled')).toHaveLength(5);
  const sixth = {
    code: 'FAILED_PRECONDITION',
    message: 'You can keep at most 5 submissions. Delete one first.',
  };
  await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject(sixth);
  const { submissions } = await service.gateway.listSubmissions({}, { caller });
  expect(submissions).toHaveLength(5);
  await service.gateway.deleteSubmission({ submissionId: submissions[0]?.id ?? '' }, { caller });
  await service.gateway.upload(files(), { caller });
});

test('moves the final mark, so that a user has at most one', async () => {
  const id = randomUUID();
  const caller = user(id);
  const made = await Promise.all(
    [1, 2, 3].map((n) => service.gateway.upload(files(`${completeBot}# ${n}\n`), { caller })),
  );
  await expect(service.gateway.getFinalSubmission({ userId: id }, { caller })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await Promise.all(made.map((one) => service.gateway.markFinal({ submissionId: one.id }, { caller })));
  const finals = (await service.gateway.listSubmissions({}, { caller })).submissions.filter((one) => one.final);
  expect(finals).toHaveLength(1);
  const [final] = finals;
  expect(await service.gateway.getFinalSubmission({ userId: id }, { caller: admin })).toEqual(final);
  expect((await service.gateway.listUsersWithFinal({}, { caller: admin })).userIds).toContain(id);
  expect(await service.gateway.unmarkFinal({ submissionId: final?.id ?? '' }, { caller })).toMatchObject({
    final: false,
  });
  expect((await service.gateway.listUsersWithFinal({}, { caller: admin })).userIds).not.toContain(id);
  const stranger = { caller: user(randomUUID()) };
  await expect(service.gateway.getFinalSubmission({ userId: id }, stranger)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
});

test('opens one file by a signed link for 60 s without a bearer token', async () => {
  const caller = user(randomUUID());
  const made = await service.gateway.upload(files(completeBot), { caller });
  const link = await service.gateway.signFileLink({ fileId: made.playerFileId }, { caller });
  const anonymous = { caller: { kind: 'anonymous' } } as const;
  const opened = await service.gateway.openFileLink(link, anonymous);
  expect(opened).toMatchObject({ fileId: made.playerFileId, fileName: 'player.py', data: Buffer.from(completeBot) });
  service.clock.advance(60_000);
  await expect(service.gateway.openFileLink(link, anonymous)).rejects.toMatchObject({ reason: 'link-expired' });
  const stranger = { caller: user(randomUUID()) };
  await expect(service.gateway.signFileLink({ fileId: made.playerFileId }, stranger)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
});

test('refuses uploads and changes of the final mark during a freeze, but not deletions', async () => {
  const caller = user(randomUUID());
  const made = await service.gateway.upload(files(), { caller });
  const frozen = { code: 'FAILED_PRECONDITION', message: 'Submissions are frozen by the organisers.' };
  try {
    await saveEventSettings(service.pool, { version: 7, frozen: true });
    await saveEventSettings(service.pool, { version: 6, frozen: false });
    await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject(frozen);
    await expect(service.gateway.markFinal({ submissionId: made.id }, { caller })).rejects.toMatchObject(frozen);
    await service.gateway.deleteSubmission({ submissionId: made.id }, { caller });
  } finally {
    await saveEventSettings(service.pool, { version: 8, frozen: false });
  }
  await service.gateway.upload(files(), { caller });
});

test('returns the number of submissions and the time of the newest to the owner and admins only', async () => {
  const id = randomUUID();
  const owner = user(id);
  const summary = (caller: Caller) => service.gateway.summariseSubmissions({ userId: id }, { caller });
  expect(await summary(owner)).toEqual({ submissionCount: 0, lastCreatedAt: '' });
  const first = await service.gateway.upload(files(), { caller: owner });
  const second = await service.gateway.upload(files(`${completeBot}# 2\n`), { caller: owner });
  expect(await summary(owner)).toEqual({ submissionCount: 2, lastCreatedAt: second.createdAt });
  await service.gateway.deleteSubmission({ submissionId: second.id }, { caller: owner });
  expect(await summary(admin)).toEqual({ submissionCount: 1, lastCreatedAt: first.createdAt });
  await expect(summary(user(randomUUID()))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(summary({ kind: 'anonymous' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
