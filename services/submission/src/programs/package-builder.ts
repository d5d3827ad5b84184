import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexUnreachable, resolverRefusal, unresolvable } from '../domain/index-errors.ts';
import type { Requirements } from '../domain/requirements.ts';
import { type Finished, run } from './run.ts';

/** Unpacked wheels of one resolved list, packed. The file lives until `discard`. */
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
  readonly maxUnpackedBytes: number;
}

export interface PackageBuilder {
  readonly python: string;
  readonly platform: string;
  /**
   * Resolves and, unless `known` says that the archive is stored already, installs and packs wheels (no package code
   * runs). FAILED_PRECONDITION names a package that cannot be used; UNAVAILABLE: the index did not answer.
   */
  build<T>(
    requirements: Requirements,
    known: (hash: string) => Promise<boolean>,
    use: (archive: BuiltArchive) => Promise<T>,
  ): Promise<{ hash: string; result?: T }>;
}

const boundedProgram = join(import.meta.dirname, '../../checker/bounded.py');
const packProgram = join(import.meta.dirname, '../../checker/pack.py');
const mib = 1024 * 1024;
const watchMs = 500;
const packTimeoutMs = 60_000;
const tooLarge = 3;

export function createPackageBuilder(settings: PackageBuilderSettings): PackageBuilder {
  const target = `Python ${settings.runnerPython} on ${settings.platform.split('-')[0]}`;
  const largest = Math.floor(settings.maxUnpackedBytes / mib);
  const oversized = () => unresolvable(`The packages in requirements.txt take more than ${largest} MiB unpacked.`);

  async function uv(args: readonly string[], cwd: string): Promise<Finished> {
    const limits = [String(settings.maxUnpackedBytes), String(Math.ceil(settings.timeoutMs / 1000))];
    const common = ['--python', settings.python, '--no-config', '--cache-dir', join(cwd, 'cache'), '--no-progress'];
    const platform = ['--python-version', settings.runnerPython, '--python-platform', settings.platform];
    const index = settings.indexUrl === undefined ? [] : ['--default-index', settings.indexUrl];
    const command = ['-I', '-S', boundedProgram, ...limits, settings.uv, 'pip', ...args];
    const watch = watchSize(cwd, settings.maxUnpackedBytes * 2 + 64 * mib);
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
      if (finished.ended === 'stopped' || /File too large/i.test(finished.stderr)) throw oversized();
      if (finished.ended === 'time') throw indexUnreachable();
      if (finished.code === 127 || (finished.code !== 0 && /FileNotFoundError/.test(finished.stderr))) {
        throw new Error(`uv could not be run: ${finished.stderr.slice(-300)}`);
      }
      if (finished.code !== 0) throw resolverRefusal(finished.stderr, target);
      return finished;
    } finally {
      watch.stop();
    }
  }

  async function pack(folder: string): Promise<{ file: string; unpackedBytes: number }> {
    const file = join(folder, 'archive.tar.gz');
    const args = ['-I', '-S', packProgram, join(folder, 'packages'), file, String(settings.maxUnpackedBytes)];
    const packed = await run(settings.python, args, { timeoutMs: packTimeoutMs, environment: settings.environment });
    if (packed.code === tooLarge) throw oversized();
    if (packed.code !== 0) throw new Error(`pack.py ended with ${packed.code}: ${packed.stderr.slice(-500)}`);
    return { file, unpackedBytes: (JSON.parse(packed.stdout) as { unpacked_bytes: number }).unpacked_bytes };
  }

  return {
    python: settings.runnerPython,
    platform: settings.platform,
    async build(requirements, known, use) {
      await mkdir(settings.workDir, { recursive: true });
      const folder = await mkdtemp(join(settings.workDir, 'resolve-'));
      try {
        await writeFile(join(folder, 'requirements.txt'), `${requirements.lines.join('\n')}\n`);
        const quiet = ['--no-header', '--no-annotate', '--quiet', '-o', 'pylock.toml'];
        await uv(['compile', 'requirements.txt', '--format', 'pylock.toml', ...quiet], folder);
        const resolved = resolvedList(await readFile(join(folder, 'pylock.toml'), 'utf8'));
        const hash = createHash('sha256')
          .update(`${settings.runnerPython}\n${settings.platform}\n${resolved}`)
          .digest('hex');
        if (await known(hash)) return { hash };
        await uv(['install', '--target', 'packages', '--no-deps', '--require-hashes', '-r', 'pylock.toml'], folder);
        return { hash, result: await use({ hash, resolved, ...(await pack(folder)) }) };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** One line a wheel, `name==version file sha256`, sorted; without the places that they come from. */
export function resolvedList(lock: string): string {
  const found = lock
    .split('[[packages]]')
    .slice(1)
    .map((entry) => {
      const field = (pattern: RegExp) => pattern.exec(entry)?.[1] ?? '';
      const file = decodeURIComponent(
        field(/(?:url|path) = "([^"]+)"/)
          .split('/')
          .at(-1) ?? '',
      );
      return `${field(/^name = "([^"]+)"/m)}==${field(/^version = "([^"]+)"/m)} ${file} ${field(/sha256 = "([0-9a-f]{64})"/)}`;
    });
  return found.sort().join('\n');
}

/** Aborts its signal once the files below a folder take more than `limit` bytes. */
function watchSize(folder: string, limit: number): { signal: AbortSignal; stop(): void } {
  const abort = new AbortController();
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    if ((await sizeOf(folder)) > limit) abort.abort();
    looking = false;
  };
  const timer = setInterval(() => void look(), watchMs);
  return { signal: abort.signal, stop: () => clearInterval(timer) };
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  // Files come and go while the installer works; what has gone counts nothing.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += await sizeOf(path);
    else size += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return size;
}
