import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installPackages } from '../../python/packages.ts';
import { findPython } from '../../up/preflight.ts';
import type { FileOutcome, VitestOutcome } from './test-reporter.ts';

/** The result of a suite. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of failed and flaky tests. They are printed at the end, so that a log without its beginning has them. */
  readonly remarks: readonly string[];
}

/** Receives a command's output while it runs. */
export type Write = (text: string) => void;

const root = join(import.meta.dirname, '../../..');
export const bin = join(root, 'node_modules/.bin');

function run(
  command: string,
  args: readonly string[],
  write: Write,
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        write(part);
        text = (text + part).slice(-200_000);
      });
    }
    child.once('error', (error) => resolve({ code: 1, text: `${text}${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** Runs a command as a single test, which passes if the exit code is 0. */
export async function check(write: Write, command: string, args: readonly string[]): Promise<Outcome> {
  const { code } = await run(command, args, write);
  if (code === 0) return { passed: 1, failed: 0, skipped: 0, remarks: [] };
  return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${basename(command)} ${args.join(' ')}`] };
}

/** With more failed files none is repeated, because something is broken, not flaky. */
const maxRepeatedFiles = 10;
const hasFailed = ({ failed, failures }: FileOutcome) => failed > 0 || Object.keys(failures).length > 0;
const describe = (file: string, name: string) => (name === '' ? file : `${file} > ${name}`);

/** Runs vitest once. Returns undefined if it ends without an outcome. */
async function runVitestOnce(write: Write, args: readonly string[]): Promise<VitestOutcome | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-results-'));
  const file = join(folder, 'outcome.json');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/proof/test/test-reporter.ts')}`];
  try {
    const { code } = await run(join(bin, 'vitest'), ['run', ...reporters, ...args], write, { TEST_OUTCOME: file });
    const outcome = JSON.parse(readFileSync(file, 'utf8')) as VitestOutcome;
    if (code === 0 || outcome.unhandled.length > 0 || outcome.files.some(hasFailed)) return outcome;
    return { ...outcome, unhandled: [`vitest ended with ${code}`] };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs vitest with a configuration. With `repeat`, runs files with failures once more and reports the tests that then pass as flaky. Repeats
 * files, not tests, so that a repeated test does not find users and matches that its first run has created.
 */
export async function vitest(write: Write, config: string, repeat: boolean, ...options: string[]): Promise<Outcome> {
  const args = ['--config', config, ...options];
  const first = await runVitestOnce(write, args);
  if (!first) return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: vitest ${config} ended without a result`] };
  const failed = first.files.filter(hasFailed).map(({ file }) => file);
  const isRepeated = repeat && failed.length > 0 && failed.length <= maxRepeatedFiles;
  if (isRepeated) write(`\nrepeating ${failed.join(', ')}\n`);
  const whole = args.filter((arg) => !arg.startsWith('--shard='));
  const second = isRepeated ? await runVitestOnce(write, [...whole, ...failed]) : undefined;

  const count = { passed: 0, failed: 0, skipped: 0 };
  const remarks: string[] = [];
  for (const file of first.files) {
    const last = (hasFailed(file) && second?.files.find((repeated) => repeated.file === file.file)) || file;
    count.passed += last.passed;
    count.skipped += last.skipped;
    // A file that cannot be loaded and a failed hook are failures without a failed test.
    count.failed += hasFailed(last) ? Math.max(1, last.failed) : 0;
    for (const [name, error] of Object.entries(last.failures))
      remarks.push(`failed: ${describe(file.file, name)}: ${error}`);
    for (const [name, error] of Object.entries(file.failures))
      if (!(name in last.failures)) remarks.push(`flaky: ${describe(file.file, name)}: ${error}`);
  }
  for (const error of [...first.unhandled, ...(second?.unhandled ?? [])]) {
    count.failed++;
    remarks.push(`failed: outside of a test: ${error}`);
  }
  return { ...count, remarks };
}

/** Runs Python's unittest in the folder `start` with the packages of scripts/python/bots.txt. `top`: folder from which tests import. */
export async function unittest(write: Write, start: string, top = start): Promise<Outcome> {
  const python = findPython(process.env.PYTHON);
  const packages = await installPackages('bots', python);
  const args = ['-m', 'unittest', 'discover', '-s', start, '-t', top];
  const { code, text } = await run(python.path, args, write, { PYTHONPATH: packages });
  const ran = Number(/Ran (\d+) tests?/.exec(text)?.[1] ?? 0);
  const count = (word: string) => Number(new RegExp(`${word}=(\\d+)`).exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const skipped = count('skipped');
  const remarks = [...text.matchAll(/^(?:FAIL|ERROR): (.+)$/gm)].map(([, test]) => `failed: ${start} ${test}`);
  if (ran === 0 || (code !== 0 && failed === 0)) return { passed: 0, failed: 1, skipped, remarks };
  return { passed: ran - failed - skipped, failed, skipped, remarks };
}
