// `make test`: runs lint, type checks, unit and service tests of every language. The last line is `N passed, N failed`. Names of suites on
// the command line select suites; api and web take minutes and start the complete platform. Without names, `unit` runs in parallel with
// the other suites, which use at most one core.
import { join } from 'node:path';
import { CannotInstall, prepareKeycloak } from '../../keycloak/install.ts';
import { bin, check, type Outcome, unittest, vitest as vitestWith, type Write } from './test-commands.ts';

/** Failed and flaky tests of all suites. */
const remarks: string[] = [];

const vitest = (write: Write, config = 'vitest.config.ts', ...options: string[]) =>
  vitestWith(write, config, Boolean(process.env.TEST_RETRY), ...options);

/** Runs two halves of the files at the same time, each with a platform and a browser of its own. */
async function halves(write: Write, config: string): Promise<Outcome> {
  const outcomes = ['1/2', '2/2'].map((shard) => vitest(write, config, `--shard=${shard}`));
  return (await Promise.all(outcomes)).reduce(add);
}

const add = (one: Outcome, two: Outcome): Outcome => ({
  passed: one.passed + two.passed,
  failed: one.failed + two.failed,
  skipped: one.skipped + two.skipped,
  remarks: [...one.remarks, ...two.remarks],
});

/** Checks format and style (Biome), import rules (dependency-cruiser), types and unhandled promises (Oxlint) and copied code (jscpd). */
async function lint(write: Write): Promise<Outcome> {
  const tools: readonly (readonly [string, readonly string[]])[] = [
    ['biome', ['check', '--error-on-warnings', '.']],
    ['depcruise', ['--config', 'dependency-cruiser.config.ts', 'services', 'gateway', 'web', 'scripts', 'k8s']],
    ['oxlint', []],
    ['jscpd', ['.']],
  ];
  let outcome: Outcome = { passed: 0, failed: 0, skipped: 0, remarks: [] };
  for (const [tool, args] of tools) {
    outcome = add(outcome, await check(write, join(bin, tool), args));
  }
  return outcome;
}

interface Suite {
  readonly name: string;
  /** Installs the requirements of the suite. If it throws CannotInstall, the suite is skipped and the message is printed. */
  readonly prepare?: () => Promise<void>;
  readonly run: (write: Write) => Promise<Outcome>;
  /** Whether the suite runs only if it is named on the command line. */
  readonly slow?: boolean;
}

const keycloak = () => prepareKeycloak((line) => void process.stdout.write(`${line}\n`));

/** Prepares a suite. Returns the reason why it cannot run on this machine; undefined if it can. */
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
  { name: 'links', run: (write) => check(write, process.execPath, ['scripts/proof/links/check.ts']) },
  { name: 'supply', run: (write) => check(write, process.execPath, ['scripts/supply/check.ts']) },
  { name: 'unit', run: (write) => vitest(write) },
  { name: 'seat', run: (write) => unittest(write, 'services/runner/seat/tests', 'services/runner/seat') },
  { name: 'bots', run: (write) => unittest(write, 'services/runner/bots/tests') },
  { name: 'api', run: (write) => vitest(write, 'vitest.e2e.config.ts'), slow: true },
  { name: 'web', run: (write) => halves(write, 'vitest.web.config.ts'), slow: true },
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
async function runSuites(batch: readonly Suite[], buffered: boolean): Promise<void> {
  for (const suite of batch) {
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
    const startedMs = performance.now();
    const outcome = await suite.run(write);
    flush();
    passed += outcome.passed;
    failed += outcome.failed;
    skipped += outcome.skipped;
    remarks.push(...outcome.remarks);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
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
process.stdout.write(`\n${[...summary, ...remarks].join('\n')}\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
