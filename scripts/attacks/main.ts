// `make attacks`: starts a platform, uploads every attack of services/runner/attacks, plays it against five honest bots, and
// repeats each match without the attacker as a reference. CASES: groups or names (default all); RUNNERS (3), WORKERS (4);
// RUN_AS: user id of the platform instead of root; TEST_RETRY=1 repeats failed cases once; UPDATE_DOCS=1 writes docs/attacks.md. The last line is `N passed, N failed`.

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { type AttackCase, expectedWith, readCases } from './case-files.ts';
import { foldingBot, limitVariables } from './honest.ts';
import { Participants } from './on-platform.ts';
import { lineOf, type Outcome } from './outcome.ts';
import { leftBehind, type Remains, remainsOf } from './remains.ts';
import { machineName, writeResults } from './results.ts';
import { runOnPlatform } from './run-case.ts';
import { TableOfSix } from './table-of-six.ts';
import { serveWheels } from './wheels.ts';

/** How long seats and files may still exist after the last match. */
const settleMs = 10_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const cases = readCases(process.env.CASES).filter(({ only }) => only === undefined || only.includes('platform'));
const index = await serveWheels(cases);
const runAs = process.env.RUN_AS ? Number(process.env.RUN_AS) : undefined;
const machine = machineName(runAs);
const platform = await startOwnPlatform(
  {
    ...withoutLimits,
    ...limitVariables,
    POOL_SIZE: process.env.RUNNERS ?? '3',
    PACKAGE_INDEX_URL: index.url,
    ...(runAs === undefined ? {} : { HOME: '/tmp' }),
  },
  runAs === undefined ? undefined : { uid: runAs, gid: runAs },
);
const reference = await TableOfSix.open();
// The reference host shows only the means of this process's user. For another user they are unknown, and `open` is kept.
const means = runAs === undefined ? await reference.means() : undefined;

async function close(): Promise<void> {
  await reference.stop();
  await platform.stop();
  index.stop();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)));
}

async function attackAll(): Promise<{ outcomes: Outcome[]; problems: string[] }> {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const participants = new Participants(admin, 'a-');
  await participants.prepare();
  const folder = await participants.player('folding', foldingBot, '');
  await participants.match([folder], 20);

  const supervisor = platform.pidOf('supervisor') ?? 0;
  const look = () => remainsOf(supervisor, [join(platform.dataDir, 'runners')]);
  const before = look();
  const outcomes: Outcome[] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      const outcome = await runOnPlatform(expectedWith(attack, means), participants, reference);
      outcomes.push(outcome);
      say(lineOf(outcome));
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.WORKERS ?? 4) }, work));
  if (process.env.TEST_RETRY) await repeatFailed(outcomes, new Participants(admin, 'b-'));

  const after = await participants.match([folder], 20);
  const problems = after.seats.flatMap(({ verdict }, seat) =>
    verdict === '' ? [] : [`afterwards seat ${seat}: ${verdict}`],
  );
  return { outcomes, problems: [...problems, ...(await waitUntilSettled(before, look))] };
}

/** Repeats failed cases one at a time with new users, and replaces the outcome of those that pass then. */
async function repeatFailed(outcomes: Outcome[], participants: Participants): Promise<void> {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length > 0) await participants.prepare();
  for (const first of failed) {
    const second = await runOnPlatform(first.attack, participants, reference);
    if (second.problems.length > 0) continue;
    outcomes[outcomes.indexOf(first)] = second;
    say(`flaky: ${lineOf(first)}`);
  }
}

async function waitUntilSettled(before: Remains, look: () => Remains): Promise<string[]> {
  const until = Date.now() + settleMs;
  for (;;) {
    const left = leftBehind(before, look());
    if (left.length === 0 || Date.now() > until) return left;
    await pause(200);
  }
}

const order = (attack: AttackCase) => cases.findIndex(({ name }) => name === attack.name);

try {
  const began = performance.now();
  const { outcomes, problems } = await attackAll();
  outcomes.sort((a, b) => order(a.attack) - order(b.attack));
  const failed = outcomes.filter((outcome) => outcome.problems.length > 0);
  const slowdowns = outcomes.map(({ slowdown }) => slowdown).filter((value) => !Number.isNaN(value));
  slowdowns.sort((a, b) => a - b);
  const median = slowdowns[slowdowns.length >> 1] ?? Number.NaN;
  say('');
  for (const outcome of failed) say(`failed: ${lineOf(outcome)}`);
  say(problems.length === 0 ? 'nothing was left behind' : `left behind: ${problems.join('; ')}`);
  const largest = slowdowns.at(-1) ?? Number.NaN;
  say(
    `honest bots' processor time against that without the attacker: median ${median.toFixed(2)}, largest ${largest.toFixed(2)}`,
  );
  say(`${outcomes.length} attacks on ${machine} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (process.env.UPDATE_DOCS === '1') writeResults(outcomes, machine);
  const more = problems.length === 0 ? 0 : 1;
  say(`${outcomes.length - failed.length + 1 - more} passed, ${failed.length + more} failed`);
  process.exitCode = failed.length + more > 0 ? 1 : 0;
} finally {
  await close();
}
