// `make attacks`: starts a platform, uploads every attack of services/runner/attacks, plays each against five honest bots, and
// repeats each match without the attacker as a reference. CASES: groups or names (default all); RUNNERS (3), WORKERS (4);
// RUN_AS: user id of the platform instead of root; TEST_RETRY=1 repeats failed cases once; writes test-results/attacks.md.
// The last line is `N passed, N failed`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@husky/platform/free-port';
import { findPython } from '../../../services/runner/bench/local-host.ts';
import { Api } from '../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { median, quantile } from '../bench/machine.ts';
import { servePackages } from '../kube/package-index.ts';
import { type AttackCase, adaptToMeans, buildWheels, readCases } from './case-files.ts';
import { foldingBot, limitVariables } from './honest.ts';
import { formatOutcome, type Outcome } from './judge.ts';
import { Participants } from './on-platform.ts';
import { collectRemains, findNewRemains, type Remains } from './remains.ts';
import { machineName, writeResults } from './results.ts';
import { runOnPlatform } from './run-case.ts';
import { TableOfSix } from './table-of-six.ts';

/** Maximum time for which seats and files may exist after the last match. */
const settleMs = 10_000;

const print = (text: string) => process.stdout.write(`${text}\n`);
const cases = readCases(process.env.CASES);
const wheels = mkdtempSync(join(tmpdir(), 'husky-wheels-'));
buildWheels(cases, wheels);
const indexPort = await freePort();
const index = await servePackages([wheels], '127.0.0.1', indexPort);
const runAs = process.env.RUN_AS ? Number(process.env.RUN_AS) : undefined;
const machine = machineName(runAs);
const platform = await startOwnPlatform(
  {
    ...withoutLimits,
    ...limitVariables,
    POOL_SIZE: process.env.RUNNERS ?? '3',
    PACKAGE_INDEX_URL: `http://127.0.0.1:${indexPort}/simple/`,
    ...(runAs === undefined ? {} : { HOME: '/tmp' }),
  },
  runAs === undefined ? undefined : { uid: runAs, gid: runAs },
);
const reference = await TableOfSix.open();
// The reference host reports the means of this process's user. Those of another user are unknown.
const means = runAs === undefined ? await reference.means() : undefined;

async function close(): Promise<void> {
  await reference.stop();
  await platform.stop();
  index.close();
  rmSync(wheels, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)));
}

async function runAttacks(): Promise<{ outcomes: Outcome[]; problems: string[] }> {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const participants = new Participants(admin, 'a-');
  await participants.prepare();
  const folder = await participants.registerPlayer('folding', foldingBot, '');
  await participants.playMatch([folder], 20);

  const supervisor = platform.pidOf('supervisor') ?? 0;
  const collect = () => collectRemains(supervisor, [join(platform.dataDir, 'runners')]);
  const before = collect();
  const outcomes: Outcome[] = [];
  const pending = [...cases];
  const work = async () => {
    for (let attack = pending.shift(); attack !== undefined; attack = pending.shift()) {
      const outcome = await runOnPlatform(adaptToMeans(attack, means), participants, reference);
      outcomes.push(outcome);
      print(formatOutcome(outcome));
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.WORKERS ?? 4) }, work));
  if (process.env.TEST_RETRY) await repeatFailed(outcomes, new Participants(admin, 'b-'));

  const after = await participants.playMatch([folder], 20);
  const problems = after.seats.flatMap(({ verdict }, seat) =>
    verdict === '' ? [] : [`afterwards seat ${seat}: ${verdict}`],
  );
  return { outcomes, problems: [...problems, ...(await waitUntilSettled(before, collect))] };
}

/** Repeats failed cases one at a time with new users. Replaces the outcomes of those that then pass. */
async function repeatFailed(outcomes: Outcome[], participants: Participants): Promise<void> {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length > 0) await participants.prepare();
  for (const first of failed) {
    const second = await runOnPlatform(first.attack, participants, reference);
    if (second.problems.length > 0) continue;
    outcomes[outcomes.indexOf(first)] = second;
    print(`flaky: ${formatOutcome(first)}`);
  }
}

/** Waits until nothing new exists since `before`. Returns what still exists after `settleMs`. */
async function waitUntilSettled(before: Remains, collect: () => Remains): Promise<string[]> {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const remains = findNewRemains(before, collect());
    if (remains.length === 0 || Date.now() > deadline) return remains;
    await pause(200);
  }
}

const order = (attack: AttackCase) => cases.findIndex(({ name }) => name === attack.name);

/** Plays and prints all cases; returns how many passed and failed. The check of remains counts as one more. */
async function report(): Promise<{ passed: number; failed: number }> {
  const startedMs = performance.now();
  const { outcomes, problems } = await runAttacks();
  outcomes.sort((a, b) => order(a.attack) - order(b.attack));
  const failed = outcomes.filter((outcome) => outcome.problems.length > 0);
  const slowdowns = outcomes.map(({ slowdown }) => slowdown).filter((value) => !Number.isNaN(value));
  print('');
  for (const outcome of failed) print(`failed: ${formatOutcome(outcome)}`);
  print(problems.length === 0 ? 'nothing was left behind' : `left behind: ${problems.join('; ')}`);
  print(
    `honest bots' processor time against that without the attacker: median ${median(slowdowns).toFixed(2)}, largest ${quantile(slowdowns, 1).toFixed(2)}`,
  );
  print(`${outcomes.length} attacks on ${machine} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  writeResults(outcomes, machine);
  const remainsFailed = problems.length === 0 ? 0 : 1;
  return { passed: outcomes.length - failed.length + 1 - remainsFailed, failed: failed.length + remainsFailed };
}

let played: Awaited<ReturnType<typeof report>>;
try {
  played = await report();
} finally {
  await close();
}
/** Searches for channels between two seats and prints its report. Returns whether there is none. */
const findsNone = () =>
  spawnSync(findPython(), ['-W', 'ignore', '-B', '-m', 'tests.detect_channels'], {
    cwd: join(import.meta.dirname, '../../../services/runner/seat'),
    stdio: 'inherit',
    timeout: 300_000,
  }).status === 0;
let channels = findsNone() ? 1 : 0;
// Other work on the machine can look like one.
if (channels === 0 && process.env.TEST_RETRY && findsNone()) {
  channels = 1;
  print('flaky: the search for channels');
}
print(`${played.passed + channels} passed, ${played.failed + 1 - channels} failed`);
process.exitCode = played.failed + 1 - channels > 0 ? 1 : 0;
