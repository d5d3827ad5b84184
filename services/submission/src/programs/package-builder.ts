import { createReadStream } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveLimits, BadArchive, readPackageArchive } from '@husky/contracts/package-archive';
import type { Requirements } from '../domain/bot-files.ts';
import { interrupted, resolverRefusal, timedOut, unresolvable } from '../domain/index-errors.ts';
import { type PreparationStep, packagesHash, refuseOtherHashes, resolvedList } from '../domain/lock.ts';
import { type Finished, run } from './bot-check.ts';

/** An archive of the unpacked wheels of one resolved list. The file is deleted when `build` returns. */
export interface BuiltArchive {
  /** Hex SHA-256 of the resolved list: every wheel with its hash, for one Python and platform. */
  readonly hash: string;
  readonly resolved: string;
  readonly unpackedBytes: number;
  readonly file: string;
}

export interface PackageBuilderSettings {
  readonly python: string;
  readonly uv: string;
  readonly indexUrl: string | undefined;
  readonly runnerPython: string;
  readonly platform: string;
  readonly workDir: string;
  readonly timeoutMs: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ArchiveLimits;
  /** Is told why a folder could not be removed. */
  readonly onLeft: (error: unknown) => void;
}

export interface PackageBuilder {
  readonly python: string;
  readonly platform: string;
  /**
   * Resolves requirements and returns what `findStored` returns for the archive's hash. If that is undefined, installs and packs the
   * wheels, passes the archive to `store` and returns its result. Runs no code of packages. Rejects with FAILED_PRECONDITION if a package
   * cannot be used, UNAVAILABLE if the index is unreachable or the machine is too busy.
   */
  build<T>(
    requirements: Requirements,
    findStored: (hash: string) => Promise<T | undefined>,
    store: (archive: BuiltArchive) => Promise<T>,
    onStep?: (step: PreparationStep) => void,
  ): Promise<T>;
}

const boundedProgram = join(import.meta.dirname, '../../checker/bounded.py');
const packProgram = join(import.meta.dirname, '../../checker/pack.py');
const mib = 1024 * 1024;
const watchMs = 500;
const packTimeoutMs = 60_000;
const refusedExitCode = 3;
// uv unpacks into its cache and links or copies from there, so files may exist twice, in addition to wheels and locks.
const copies = 2;
const spareEntries = 2000;

export function createPackageBuilder(settings: PackageBuilderSettings): PackageBuilder {
  const target = `Python ${settings.runnerPython} on ${settings.platform.split('-')[0]}`;
  const maxMib = Math.floor(settings.limits.bytes / mib);
  const refusal = (why: string) => unresolvable(`The packages in requirements.txt ${why}`);
  const tooManyBytes = () => refusal(`take more than ${maxMib} MiB unpacked.`);
  const tooManyEntries = () =>
    refusal(`hold more than ${settings.limits.entries.toLocaleString('en')} files and folders, which is the limit.`);

  async function uv(args: readonly string[], cwd: string, doing: string): Promise<Finished> {
    const limits = [String(settings.limits.bytes), String(Math.ceil(settings.timeoutMs / 1000))];
    const common = ['--python', settings.python, '--no-config', '--cache-dir', join(cwd, 'cache'), '--no-progress'];
    const platform = ['--python-version', settings.runnerPython, '--python-platform', settings.platform];
    const index = settings.indexUrl === undefined ? [] : ['--default-index', settings.indexUrl];
    const command = ['-I', '-S', boundedProgram, ...limits, settings.uv, 'pip', ...args];
    const watch = watchFolder(cwd, {
      bytes: copies * settings.limits.bytes + 64 * mib,
      entries: copies * settings.limits.entries + spareEntries,
    });
    try {
      const finished = await run(
        settings.python,
        [...command, '--only-binary', ':all:', ...common, ...platform, ...index],
        {
          cwd,
          timeoutMs: settings.timeoutMs,
          signal: watch.signal,
          environment: {
            ...settings.environment,
            HOME: cwd,
            UV_PYTHON_DOWNLOADS: 'never',
            UV_HTTP_RETRIES: '1',
            UV_HTTP_TIMEOUT: '15',
            NO_COLOR: '1',
          },
        },
      );
      if (watch.exceeded === 'entries') throw tooManyEntries();
      if (watch.exceeded === 'bytes' || /File too large/i.test(finished.stderr)) throw tooManyBytes();
      if (finished.killedBy === 'timeout') throw timedOut(doing, Math.round(settings.timeoutMs / 1000));
      if (finished.signal === 'SIGXCPU') throw refusal('take too much processor time to resolve.');
      if (finished.signal !== null) throw interrupted();
      if (finished.code === 127 || (finished.code !== 0 && /FileNotFoundError/.test(finished.stderr))) {
        throw new Error(`uv could not be run: ${finished.stderr.slice(-300)}`);
      }
      if (finished.code !== 0) throw resolverRefusal(finished.stderr, target);
      return finished;
    } finally {
      await watch.stop();
    }
  }

  async function pack(folder: string): Promise<{ file: string; unpackedBytes: number }> {
    const file = join(folder, 'archive.tar.gz');
    const limits = JSON.stringify(settings.limits);
    const args = ['-I', '-S', packProgram, join(folder, 'packages'), file, limits, settings.runnerPython];
    const packed = await run(settings.python, args, { timeoutMs: packTimeoutMs, environment: settings.environment });
    if (packed.signal !== null) throw interrupted();
    if (packed.code === refusedExitCode) throw refusal((JSON.parse(packed.stdout) as { refused: string }).refused);
    if (packed.code !== 0) throw new Error(`pack.py ended with ${packed.code}: ${packed.stderr.slice(-500)}`);
    await requireReadable(file).catch((error: unknown) => {
      throw error instanceof BadArchive ? refusal(`cannot be brought to a runner: ${error.message}.`) : error;
    });
    return { file, unpackedBytes: (JSON.parse(packed.stdout) as { unpacked_bytes: number }).unpacked_bytes };
  }

  return {
    python: settings.runnerPython,
    platform: settings.platform,
    async build(requirements, findStored, store, onStep = () => undefined) {
      onStep('resolving');
      await mkdir(settings.workDir, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(settings.workDir, 'resolve-'));
      try {
        const packages = requirements.lines.filter((line) => !line.startsWith('--'));
        await writeFile(join(folder, 'requirements.txt'), `${packages.join('\n')}\n`);
        const options = ['--no-header', '--no-annotate', '--quiet', '-o', 'pylock.toml'];
        if (requirements.lines.includes('--pre')) options.push('--prerelease', 'allow');
        await uv(['compile', 'requirements.txt', '--format', 'pylock.toml', ...options], folder, 'Resolving');
        const lock = await readFile(join(folder, 'pylock.toml'), 'utf8');
        refuseOtherHashes(requirements.lines, lock);
        const resolved = resolvedList(lock);
        const hash = packagesHash(settings.runnerPython, settings.platform, resolved);
        const stored = await findStored(hash);
        if (stored !== undefined) return stored;
        onStep('downloading');
        const install = ['install', '--target', 'packages', '--no-deps', '--require-hashes', '-r', 'pylock.toml'];
        await uv(install, folder, 'Downloading');
        onStep('packing');
        return await store({ hash, resolved, ...(await pack(folder)) });
      } finally {
        // Child processes of a program that was killed may still write for a moment.
        await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch(settings.onLeft);
      }
    },
  };
}

/** Reads an archive as runners do. Throws BadArchive if they would refuse it. */
async function requireReadable(file: string): Promise<void> {
  for await (const { content } of readPackageArchive(createReadStream(file))) for await (const _ of content);
}

interface FolderWatch {
  readonly signal: AbortSignal;
  /** The exceeded bound; undefined: none. */
  readonly exceeded: 'bytes' | 'entries' | undefined;
  /** Ends the measurements and waits for the one in progress. */
  stop(): Promise<void>;
}

interface FolderBounds {
  readonly bytes: number;
  readonly entries: number;
}

/** Measures a folder periodically and aborts the returned signal once its content exceeds a bound. */
function watchFolder(folder: string, max: FolderBounds): FolderWatch {
  const abort = new AbortController();
  let checking: Promise<void> | undefined;
  const check = async () => {
    const found = { bytes: 0, entries: 0 };
    await measure(folder, found, max);
    if (found.entries > max.entries) watch.exceeded = 'entries';
    else if (found.bytes > max.bytes) watch.exceeded = 'bytes';
    if (watch.exceeded !== undefined) abort.abort();
    checking = undefined;
  };
  const timer = setInterval(() => {
    checking ??= check();
  }, watchMs);
  const watch: FolderWatch & { exceeded: FolderWatch['exceeded'] } = {
    signal: abort.signal,
    exceeded: undefined,
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
  return watch;
}

/** Adds up the files and bytes of a folder; stops beyond a bound. */
async function measure(folder: string, found: { bytes: number; entries: number }, max: FolderBounds): Promise<void> {
  // The installer deletes files at the same time; deleted ones are not counted.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (found.entries > max.entries || found.bytes > max.bytes) return;
    found.entries += 1;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await measure(path, found, max);
    else found.bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
}
