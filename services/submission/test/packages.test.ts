import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { expectBotsContract } from '@husky/testkit/contracts';
import { sourcePackage, startIndex, wheel } from '@husky/testkit/package-index';
import { testIdentities } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { requirementsOf } from '../src/domain/bot-files.ts';
import { createPackagePreparer } from '../src/programs/package-preparer.ts';
import { collectGarbage } from '../src/store/garbage.ts';
import { completeBot, createTestBuilder, files, startService, type TestService, user } from './start-service.ts';

let index: Awaited<ReturnType<typeof startIndex>>;
let service: TestService;
let withoutIndex: TestService;
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/f${index}.py`, '']));
const large = `# ${'x'.repeat(1_500_000)}\n`;

beforeAll(async () => {
  index = await startIndex({
    alpha: [wheel('alpha', '1.0', 'ALPHA = 1\n'), wheel('alpha', '2.0', 'ALPHA = 2\n', ['beta'])],
    beta: [wheel('beta', '1.0', 'BETA = 1\n')],
    young: [wheel('young', '1.0', ''), wheel('young', '2.0rc1', '')],
    large: [wheel('large', '1.0', large)],
    heavy: [wheel('heavy', '1.0', large, ['large'])],
    slow: [wheel('slow', '1.0', 'SLOW = 1\n')],
    source: [sourcePackage('source', '1.0')],
    crowd: [wheel('crowd', '1.0', '', [], many(5000))],
    many: [wheel('many', '1.0', '', [], many(120))],
    deep: [wheel('deep', '1.0', '', [], { [`deep/${'d/'.repeat(25)}x.py`]: '' })],
    long: [wheel('long', '1.0', '', [], { [`long/${`${'n'.repeat(150)}/`.repeat(2)}x.py`]: '' })],
  });
  service = await startService(index.url);
  withoutIndex = await startService('http://127.0.0.1:9/simple');
});
afterAll(async () => {
  await service.stop();
  await withoutIndex.stop();
  await index.stop();
});

const stage = (requirements: string, note = '') =>
  service.simulation.stageBot({
    holderId: randomUUID(),
    userId: randomUUID(),
    files: files(`${completeBot}# ${note}\n`, requirements),
  });
const prepare = (botHash: string) => service.simulation.preparePackages({ botHash }, { timeoutMs: 60_000 });

async function archiveOf(packagesHash: string): Promise<Buffer> {
  const lease = { kind: 'lease', jobId: randomUUID(), attempt: 1, runner: 'r', reads: [packagesHash] } as const;
  const token = await testIdentities().signerOf('simulation').sign(['submission'], lease, 60);
  const parts: Buffer[] = [];
  for await (const part of service.simulation.fetchPackages({ packagesHash }, { token })) parts.push(part.data);
  return Buffer.concat(parts);
}

test('resolves wheels with their dependencies, and returns the archive to a lease', async () => {
  const { botHash } = await stage('alpha\n');
  const { packagesHash } = await prepare(botHash);
  expect(packagesHash).toMatch(/^[0-9a-f]{64}$/);
  const archive = await archiveOf(packagesHash);
  const names = execFileSync('tar', ['-tzf', '-'], { input: archive }).toString().split('\n');
  expect(names).toContain('alpha/__init__.py');
  expect(names).toContain('beta/__init__.py');
  const version = execFileSync('python3', ['--version']).toString();
  expect(names.some((name) => name === 'alpha/__pycache__/__init__.cpython-311.pyc')).toBe(/ 3\.11\./.test(version));
  const { rows } = await service.pool.query(sql`SELECT resolved FROM archives WHERE hash = ${packagesHash}`);
  expect(rows[0].resolved).toMatch(/^alpha==2\.0 alpha-2\.0-py3-none-any\.whl [0-9a-f]{64}\nbeta==1\.0 /);
});

test('fulfils the contract that runners rely on', async () => {
  const { botHash } = await stage('');
  const { packagesHash } = await prepare((await stage('alpha\n')).botHash);
  await expectBotsContract(service.simulation, {
    bot: { hash: botHash, player: Buffer.from(`${completeBot}# \n`) },
    packages: { hash: packagesHash, archive: await archiveOf(packagesHash) },
  });
});

test('packs the same wheels into the same bytes, even if the requirements are written differently', async () => {
  const first = await prepare((await stage('alpha==1.0\n')).botHash);
  const before = await archiveOf(first.packagesHash);
  expect(await prepare((await stage('alpha<2\n')).botHash)).toEqual(first);
  await service.pool.query('DELETE FROM resolutions');
  await service.pool.query('DELETE FROM archives');
  expect(await prepare((await stage('Alpha == 1.0\n')).botHash)).toEqual(first);
  expect((await archiveOf(first.packagesHash)).equals(before)).toBe(true);
});

test('evaluates markers, checks hashes and takes pre-releases where they are asked for', {
  timeout: 120_000,
}, async () => {
  const { packagesHash } = await prepare((await stage('beta<=1.0\n')).botHash);
  const hash = createHash('sha256').update(index.file('beta-1.0-py3-none-any.whl')).digest('hex');
  const exported = `beta==1.0 ; python_version >= "3.8" \\\n    --hash=sha256:${hash}\ncolorama==0.4.6 ; sys_platform == "win32"\n`;
  expect(await prepare((await stage(exported)).botHash)).toEqual({ packagesHash });
  const other = await stage(`beta==1.0 --hash=sha256:${'0'.repeat(64)}\n`);
  await expect(prepare(other.botHash)).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: `The wheel beta-1.0-py3-none-any.whl has the hash sha256:${hash}, which is none of those for beta in requirements.txt.`,
  });
  const young = await prepare((await stage('--pre\nyoung\n')).botHash);
  const { rows } = await service.pool.query(sql`SELECT resolved FROM archives WHERE hash = ${young.packagesHash}`);
  expect(rows[0].resolved).toMatch(/^young==2\.0rc1 /);
});

test('finds the packages of a bot that was stored with another hash of its requirements', async () => {
  const { botHash } = await stage('alpha==1.0\n', 'stored earlier');
  const stored = await prepare(botHash);
  const hash = 'f'.repeat(64);
  await service.pool.query(sql`UPDATE bots SET requirements_hash = ${hash} WHERE hash = ${botHash}`);
  await service.pool.query(
    sql`UPDATE resolutions SET requirements_hash = ${hash} WHERE archive_hash = ${stored.packagesHash}`,
  );
  index.requests.length = 0;
  expect(await prepare(botHash)).toEqual(stored);
  expect(index.requests).toEqual([]);
});

test('resolves the same requirements once for concurrent jobs', async () => {
  const { botHash } = await stage('beta==1.0\n');
  index.requests.length = 0;
  const hashes = await Promise.all(Array.from({ length: 50 }, () => prepare(botHash)));
  expect(new Set(hashes.map((one) => one.packagesHash)).size).toBe(1);
  expect(index.requests.filter((url) => url === '/simple/beta/')).toHaveLength(1);
  index.requests.length = 0;
  await prepare((await stage('# again\nbeta == 1.0\n')).botHash);
  expect(index.requests).toEqual([]);
});

test('returns the archive of the replica that resolves the same requirements first, when a package is published meanwhile', async () => {
  const newer = await startIndex({ alpha: [wheel('alpha', '3.0', 'ALPHA = 3\n')] });
  onTestFinished(() => newer.stop());
  const replica = createPackagePreparer(service.pool, createTestBuilder(newer.url, service.workDir));
  // The archive of alpha 3.0 is stored in the first round and found in the second.
  for (const requirements of ['alpha>0\n', 'alpha>=1\n']) {
    newer.requests.length = 0;
    const release = newer.hold('alpha');
    const late = replica.prepare(requirementsOf([requirements.trim()]));
    await vi.waitFor(() => expect(newer.requests).not.toEqual([]), { timeout: 20_000 });
    const { packagesHash } = await prepare((await stage(requirements, 'two replicas')).botHash);
    release();
    expect(await late).toBe(packagesHash);
  }
}, 120_000);

test('prepares a bot without requirements while the index is unreachable', async () => {
  const { botHash } = await withoutIndex.simulation.stageBot({
    holderId: randomUUID(),
    userId: randomUUID(),
    files: files(completeBot, '# nothing\n'),
  });
  expect(await withoutIndex.simulation.preparePackages({ botHash })).toEqual({ packagesHash: '' });
});

test.each([
  ['nothing-of-that-name', 'The package nothing-of-that-name does not exist in the package index.'],
  ['source', 'The package source==1.0 has no wheel for Python 3.11 on x86_64; source packages are not accepted.'],
  ['alpha==9', 'There is no version of alpha==9 in the package index.'],
  ['alpha<2\nalpha>1.5', /^The packages in requirements.txt cannot be installed together: .*alpha/],
  ['heavy', 'The packages in requirements.txt take more than 2 MiB unpacked.'],
  ['crowd', /^The packages in requirements.txt hold .* files and folders/],
  ['many', 'The packages in requirements.txt hold 128 files and folders; at most 100 are allowed.'],
  ['deep', 'The packages in requirements.txt hold a path of more than 20 levels: deep/d/d/'],
  ['long', 'The packages in requirements.txt hold a path of more than 300 bytes: long/nnn'],
])('refuses an upload with %j with a one-sentence reason', async (requirements, message) => {
  const caller = user(randomUUID());
  const upload = service.gateway.upload(files(completeBot, requirements), { caller, timeoutMs: 60_000 });
  await expect(upload).rejects.toThrow(message);
  await expect(upload).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', reason: 'package-unresolvable' });
  expect((await service.gateway.listSubmissions({}, { caller })).submissions).toEqual([]);
  const { botHash } = await stage(requirements, 'refused');
  await expect(prepare(botHash)).rejects.toThrow(message);
});

test('reports an unreachable index', async () => {
  const caller = user(randomUUID());
  const upload = withoutIndex.gateway.upload(files(completeBot, 'alpha'), { caller, timeoutMs: 60_000 });
  const message = 'The package index cannot be reached right now.';
  await expect(upload).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'package-index-away', message });
});

test('reports an index that answers with an error', async () => {
  const caller = user(randomUUID());
  for (const [status, requirements] of [
    [503, 'alpha>0.1\n'],
    [403, 'alpha>0.2\n'],
  ] as const) {
    index.failing.set('alpha', status);
    onTestFinished(() => void index.failing.delete('alpha'));
    const upload = service.gateway.upload(files(completeBot, requirements), { caller, timeoutMs: 60_000 });
    const message = `The package index answered with an error (HTTP ${status}). Please try again later.`;
    await expect(upload).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'package-index-failed', message });
  }
});

test('deletes an archive when no bot needs it', async () => {
  const holderId = randomUUID();
  const pin = await service.simulation.stageBot({
    holderId,
    userId: randomUUID(),
    files: files(`${completeBot}# last`, 'large\n'),
  });
  const { packagesHash } = await prepare(pin.botHash);
  await collectGarbage(service.pool, new Date());
  expect((await archiveOf(packagesHash)).length).toBeGreaterThan(1000);
  await service.simulation.releasePins({ holderId });
  await collectGarbage(service.pool, new Date());
  await expect(archiveOf(packagesHash)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
