import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageLimits, readPackageArchive } from '@husky/contracts/package-archive';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readBotFiles } from '../src/domain/bot-files.ts';
import { createBotCheck } from '../src/programs/bot-check.ts';
import { createPackageBuilder } from '../src/programs/package-builder.ts';

/** Writes a program that runs a shell command, and returns its path. */
function createProgram(command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'husky-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'program');
  writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return path;
}

const files = (player: string, requirements = '') => readBotFiles(Buffer.from(player), Buffer.from(requirements));
const runners = { environment: {}, runnerPython: '3.11', platform: 'x86_64-manylinux_2_28' };
const checkWith = (script: string, timeoutMs?: number) =>
  createBotCheck({ ...runners, python: createProgram(script), ...(timeoutMs === undefined ? {} : { timeoutMs }) });

test('a check that is not finished in time or killed by the system is a fault of the server; one killed by its own limits is a fault of the file', async () => {
  const late = { code: 'UNAVAILABLE', reason: 'check-timed-out' };
  await expect(checkWith('sleep 60', 200).check(files('pass'))).rejects.toMatchObject(late);
  await expect(checkWith('kill -KILL $$').check(files('pass'))).rejects.toMatchObject(late);
  await expect(checkWith('kill -XCPU $$').check(files('pass'))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'bot-invalid',
    message: 'player.py is nested too deeply or is too complex to be checked.',
  });
  await expect(
    checkWith('kill -XCPU $$').readStored({ requirementsFile: Buffer.from('numpy'), requirementsHash: '' }),
  ).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'requirements-invalid',
    message: 'requirements.txt is nested too deeply or is too complex to be checked.',
  });
});

test('a check that this machine has no resources to start is a fault of the server', async () => {
  // The limit is that of a shell, whose child cannot open the pipes of another program.
  const script = `
    import { createBotCheck } from ${JSON.stringify(join(import.meta.dirname, '../src/programs/bot-check.ts'))};
    import { asDomainError } from ${JSON.stringify(join(import.meta.dirname, '../../lib/runtime/src/rpc/grpc-status.ts'))};
    import { openSync } from 'node:fs';
    const { check } = createBotCheck({ ...${JSON.stringify(runners)}, python: '/bin/true' });
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const error = await check({ player: Buffer.from('pass'), requirementsFile: Buffer.alloc(0) }).catch((failure) => failure);
    console.log(error.code, asDomainError(error, 'submission/Upload', false).code);`;
  const limited = `ulimit -n 64; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout.trim()).toBe('EMFILE UNAVAILABLE');
});

// Packs with the real pack.py and reads as runners do: what is packed at a limit is read, one more is refused when it is packed.
const packer = join(import.meta.dirname, '../checker/pack.py');
const { bytes, entries, pathBytes, levels } = packageLimits;

/** Returns a function that adds files of zeros by their sizes to one folder, packs it and returns the archive or the reason of a refusal. */
function packing() {
  const folder = mkdtempSync(join(tmpdir(), 'husky-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const archive = join(folder, 'archive.tar.gz');
  const packages = join(folder, 'packages');
  return async (files: readonly (readonly [path: string, size: number])[]) => {
    for (const [path, size] of files) {
      const target = join(packages, path);
      mkdirSync(dirname(target), { recursive: true });
      if (size > 0 || !existsSync(target)) writeFileSync(target, '');
      if (size > 0) truncateSync(target, size);
    }
    const args = [packer, packages, archive, JSON.stringify(packageLimits), '3.11'];
    const { stdout, code } = await promisify(execFile)('python3', args).catch((error) => error);
    return code === 3 ? { refused: JSON.parse(stdout).refused as string } : { archive };
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => [`f${index}`, 0] as const);
const pathOf = (length: number) => `${'n'.repeat(200)}/${'ü'.repeat(40)}${'n'.repeat(length - 281)}`;

test.each([
  ['bytes', (more: number) => [['a', bytes - 1] as const, ['b', 1 + more] as const], 'more than 200 MiB'],
  ['files and folders', (more: number) => names(entries - 1 + more), 'at most 20,000 are allowed'],
  ['bytes of a path', (more: number) => [[pathOf(pathBytes + more), 1] as const], 'a path of more than 300 bytes'],
  ['levels of a path', (more: number) => [[`${'d/'.repeat(levels - 1 + more)}x`, 1] as const], 'more than 20 levels'],
  ['compression', () => [['zeros.py', 60 << 20] as const], undefined],
])(
  'a runner reads what is packed with all allowed %s; one more is refused when it is packed',
  {
    timeout: 120_000,
  },
  async (_, files, refusal) => {
    const packed = packing();
    const { archive } = await packed(files(0));
    const read: [string, number][] = [];
    for await (const { path, content } of readPackageArchive(createReadStream(archive ?? ''))) {
      let size = 0;
      for await (const piece of content) size += piece.length;
      read.push([path, size]);
    }
    expect(read.sort()).toEqual(files(0).toSorted());
    if (refusal !== undefined) expect((await packed(files(1))).refused).toContain(refusal);
  },
);

const programs: [string, string, object][] = [
  ['with SIGKILL', 'kill -KILL $$', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['with SIGABRT', 'kill -ABRT $$', { code: 'UNAVAILABLE', reason: 'packages-interrupted', retryAfterS: 30 }],
  ['with SIGXCPU', 'kill -XCPU $$', { code: 'FAILED_PRECONDITION', reason: 'package-unresolvable' }],
  ['after its time limit', 'sleep 60', { code: 'UNAVAILABLE', reason: 'packages-timed-out', retryAfterS: 30 }],
];

test.each(programs)('a resolver that ends %s', async (_, command, refusal) => {
  const uv = createProgram(command);
  const builder = createPackageBuilder({
    python: 'python3',
    uv,
    indexUrl: undefined,
    runnerPython: '3.11',
    platform: 'x86_64-manylinux_2_28',
    workDir: join(dirname(uv), 'work'),
    timeoutMs: command.startsWith('sleep') ? 300 : 30_000,
    environment: { PATH: process.env.PATH ?? '' },
    limits: { ...packageLimits, bytes: 1024 * 1024, entries: 100 },
    onLeft: (error) => expect.unreachable(String(error)),
  });
  const store = vi.fn();
  const built = builder.build({ lines: ['alpha'], hash: 'a'.repeat(64) }, async () => undefined, store);
  await expect(built).rejects.toMatchObject(refusal);
  expect(store).not.toHaveBeenCalled();
});
