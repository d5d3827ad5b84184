// `make test`: runs lint, type checks, unit and service tests of every language. The last line is `N passed, N failed`.
// Names of suites on the command line select these suites; api and web take minutes and start the whole platform.
// Without names, `unit` runs in parallel with the other suites, which use one core at most.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CannotInstall, prepareKeycloak } from './keycloak/install.ts';
import { installPackages } from './python/packages.ts';
import type { VitestOutcome } from './test-reporter.ts';
import { findPython } from './up/preflight.ts';

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'husky-results-'));
/** Failed and flaky tests by name, printed after the counts, where a shortened log still has them. */
const remarks: string[] = [];

type Write = (text: string) => void;

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

async function check(write: Write, command: string, args: readonly string[]): Promise<Outcome> {
  const { code } = await run(command, args, write);
  if (code !== 0) remarks.push(`failed: ${basename(command)} ${args.join(' ')}`);
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** Format and style (Biome), import rules (dependency-cruiser), unhandled promises (ESLint), copied code (jscpd). */
async function lint(write: Write): Promise<Outcome> {
  const folders = ['services', 'gateway', 'web', 'scripts', 'k8s'];
  const tools: readonly (readonly [string, readonly string[]])[] = [
    ['biome', ['check', '--error-on-warnings', '.']],
    ['depcruise', ['--config', 'dependency-cruiser.config.ts', ...folders]],
    ['eslint', folders],
    ['jscpd', ['.']],
  ];
  const outcome = { passed: 0, failed: 0, skipped: 0 };
  for (const [tool, args] of tools) {
    const { passed, failed } = await check(write, join(bin, tool), args);
    outcome.passed += passed;
    outcome.failed += failed;
  }
  return outcome;
}

/** Runs vitest. With TEST_RETRY=1 a failed test is repeated once and named as flaky if it passes then. */
async function vitest(write: Write, config = 'vitest.config.ts'): Promise<Outcome> {
  const file = join(folder, `${config}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-reporter.ts')}`];
  const retry = process.env.TEST_RETRY ? [`--retry=${process.env.TEST_RETRY}`] : [];
  const args = ['run', '--config', config, ...reporters, ...retry];
  const { code } = await run(join(bin, 'vitest'), args, write, { TEST_OUTCOME: file });
  try {
    const { passed, failed, skipped, failures, flaky } = JSON.parse(readFileSync(file, 'utf8')) as VitestOutcome;
    remarks.push(...failures.map((test) => `failed: ${test}`), ...flaky.map((test) => `flaky: ${test}`));
    // Failures outside a test (a set-up, a file that cannot be loaded) are not in the counts.
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Runs Python's unittest with the packages of scripts/python/bots.txt on its path. */
async function unittest(write: Write, start: string, top = start): Promise<Outcome> {
  const python = findPython(process.env.PYTHON);
  const packages = await installPackages('bots', python);
  const args = ['-m', 'unittest', 'discover', '-s', start, '-t', top];
  const { code, text } = await run(python.path, args, write, { PYTHONPATH: packages });
  const ran = Number(/Ran (\d+) tests?/.exec(text)?.[1] ?? 0);
  const count = (word: string) => Number(new RegExp(`${word}=(\\d+)`).exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const skipped = count('skipped');
  for (const [, test] of text.matchAll(/^(?:FAIL|ERROR): (.+)$/gm)) remarks.push(`failed: ${start} ${test}`);
  if (ran === 0 || (code !== 0 && failed === 0)) return { passed: 0, failed: 1, skipped };
  return { passed: ran - failed - skipped, failed, skipped };
}

interface Suite {
  readonly name: string;
  /** Installs what the suite needs. A CannotInstall skips the suite and prints its message. */
  readonly prepare?: () => Promise<void>;
  readonly run: (write: Write) => Promise<Outcome>;
  /** The suite runs only when it is named on the command line. */
  readonly slow?: boolean;
}

const keycloak = () => prepareKeycloak((line) => void process.stdout.write(`${line}\n`));

/** Prepares a suite. Returns the reason why it cannot run on this machine; undefined: it can. */
async function prepareSuite({ prepare }: Suite): Promise<string | undefined> {
  try {
    await prepare?.();
    return undefined;
  } catch (error) {
    if (error instanceof CannotInstall) return error.message;
    throw error;
  }
}

const suites: readonly Suite[] = [
  { name: 'lint', run: lint },
  { name: 'types', run: (write) => check(write, process.execPath, ['scripts/typecheck.ts']) },
  { name: 'links', run: (write) => check(write, process.execPath, ['scripts/links/check.ts']) },
  { name: 'supply', run: (write) => check(write, process.execPath, ['scripts/supply/check.ts']) },
  { name: 'unit', run: (write) => vitest(write) },
  { name: 'seat', run: (write) => unittest(write, 'services/runner/seat/tests', 'services/runner/seat') },
  { name: 'bots', run: (write) => unittest(write, 'services/runner/bots/tests') },
  { name: 'api', run: (write) => vitest(write, 'vitest.e2e.config.ts'), slow: true },
  { name: 'web', run: (write) => vitest(write, 'vitest.web.config.ts'), slow: true },
  { name: 'realm', prepare: keycloak, run: (write) => vitest(write, 'vitest.keycloak.config.ts'), slow: true },
  {
    name: 'keycloak',
    prepare: keycloak,
    run: (write) => vitest(write, 'vitest.platform-keycloak.config.ts'),
    slow: true,
  },
];

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0)
  throw new Error(`There is no suite ${unknown.join(', ')}: ${suites.map(({ name }) => name).join(', ')}`);

let passed = 0;
let failed = 0;
let skipped = 0;
const summary: string[] = [];

/** Runs suites one after the other. `buffered`: prints a suite's output after its end instead of while it runs. */
async function runSuites(chosen: readonly Suite[], buffered: boolean): Promise<void> {
  for (const suite of chosen) {
    const output: string[] = [`\n=== ${suite.name}\n`];
    const flush = () => void process.stdout.write(output.splice(0).join(''));
    const write = (text: string) => {
      output.push(text);
      if (!buffered) flush();
    };
    const obstacle = await prepareSuite(suite);
    if (obstacle !== undefined) {
      summary.push(`${suite.name.padEnd(8)} not run: ${obstacle}`);
      continue;
    }
    const began = performance.now();
    const outcome = await suite.run(write);
    flush();
    passed += outcome.passed;
    failed += outcome.failed;
    skipped += outcome.skipped;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const parts = [`${outcome.passed} passed`, `${outcome.failed} failed`];
    if (outcome.skipped > 0) parts.push(`${outcome.skipped} skipped`);
    summary.push(`${suite.name.padEnd(8)} ${parts.join(', ')} (${seconds} s)`);
  }
}

if (selected.length > 0) {
  await runSuites(
    suites.filter(({ name }) => selected.includes(name)),
    false,
  );
} else {
  const fast = suites.filter(({ slow }) => !slow);
  await Promise.all([
    runSuites(
      fast.filter(({ name }) => name === 'unit'),
      false,
    ),
    runSuites(
      fast.filter(({ name }) => name !== 'unit'),
      true,
    ),
  ]);
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${[...summary, ...remarks].join('\n')}\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
