// The wheel, built and installed once into a virtual environment that all tests of the kit share.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildKit } from '../build.ts';

const root = join(import.meta.dirname, '../../..');
const kitFolder = join(root, '.kit');
const uv = join(root, '.tools/python/bin/uv');

/**
 * Returns the bin folder of a virtual environment with the kit of these sources. Its dependencies come from the package index, or from
 * uv's cache. Safe for concurrent calls: an environment appears whole or not at all. Environments of earlier sources are deleted.
 */
export async function installedKit(): Promise<string> {
  const { file, sha256 } = await buildKit();
  const place = join(kitFolder, `venv-${sha256.slice(0, 16)}`);
  if (existsSync(place)) return join(place, 'bin');
  const draft = mkdtempSync(join(kitFolder, 'draft-'));
  try {
    execFileSync(uv, ['venv', '--quiet', '--clear', '--relocatable', '--no-project', draft], { stdio: 'inherit' });
    const python = join(draft, 'bin/python');
    execFileSync(uv, ['pip', 'install', '--quiet', '--python', python, join(kitFolder, file)], { stdio: 'inherit' });
    renameSync(draft, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(place, 'bin');
}

export interface Ended {
  /** Exit code; null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly uid?: number;
  /** Gets the running process, to send it a signal. */
  readonly onStart?: (child: ChildProcess) => void;
}

const longestMs = 170_000;

/** Runs a program to its end. Never throws for a failure of the program. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, input = '', uid, onStart } = options;
  return new Promise((resolve, reject) => {
    const user = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(program, args, { cwd, env, timeout: longestMs, ...user });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        text[name] += part;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
    // A program that ends without reading its input closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    onStart?.(child);
  });
}
