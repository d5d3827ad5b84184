import { type AttackCase, buildWheels, readCases, requirementsOf } from '../attacks/case-files.ts';
import { limitVariables } from '../attacks/honest.ts';
import { formatOutcome, type Outcome } from '../attacks/judge.ts';
import { Participants } from '../attacks/on-platform.ts';
import { writeResults } from '../attacks/results.ts';
import { runOnPlatform } from '../attacks/run-case.ts';
import { TableOfSix } from '../attacks/table-of-six.ts';
import { kubectl, namespace, release, runnerPods, runnersNamespace, waitUntil } from './cluster.ts';
import type { Platform } from './platform.ts';
import type { Step } from './steps.ts';

const selection = process.env.ATTACKS ?? '';
const all = selection === 'all';
const concurrency = 4;
/** Maximum time for which seats and files may exist after the last match. */
const settleSeconds = 20;

/**
 * Returns the steps that play the attack corpus in runner pods: the cases with `pod: true`, or the groups and names in ATTACKS. With
 * ATTACKS=all they play every case under the small limits of `make attacks`. Writes its column of test-results/attacks.md. Wheels for
 * the cluster's package index are built into `wheelFolder`; if it is undefined, cases that need packages are skipped.
 */
export const attackSteps = (platform: Platform, wheelFolder: string | undefined): Step[] => [
  {
    name: 'attacks of the corpus are contained in pods: verdicts, complete matches, no remains',
    minutes: all ? 36 : 8,
    async run() {
      const cases = readCases(all ? '' : selection).filter(
        (attack) => (selection !== '' || attack.pod) && (wheelFolder !== undefined || requirementsOf(attack) === ''),
      );
      if (wheelFolder !== undefined) buildWheels(cases, wheelFolder);
      if (!all) return runAttacks(platform, cases);
      await setLimits(Object.entries(limitVariables).map(([name, value]) => `${name}=${value}`));
      try {
        return await runAttacks(platform, cases);
      } finally {
        await setLimits(Object.keys(limitVariables).map((name) => `${name}-`));
      }
    },
  },
];

async function setLimits(variables: readonly string[]): Promise<void> {
  const simulation = `deploy/${release}-simulation`;
  await kubectl('-n', namespace, 'set', 'env', simulation, ...variables);
  await kubectl('-n', namespace, 'rollout', 'status', simulation, '--timeout=110s');
}

async function runAttacks(platform: Platform, cases: readonly AttackCase[]): Promise<string> {
  const prefix = `p${(Date.now() % 46_656).toString(36)}-`;
  const participants = new Participants(await platform.admin(), prefix);
  await participants.prepare();
  const restartsBefore = await readRestartCounts();
  const reference = await TableOfSix.open();
  const outcomes: Outcome[] = [];
  const pending = [...cases];
  const work = async () => {
    for (let attack = pending.shift(); attack !== undefined; attack = pending.shift())
      outcomes.push(await runOnPlatform(attack, participants, reference));
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    await reference.stop();
  }
  writeResults(outcomes, 'in pods');
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${cases.length} failed\n${failed.map(formatOutcome).join('\n')}`);
  await waitUntil(
    'the end of all seats and the removal of their files',
    settleSeconds,
    findRemains,
    (remains) => remains === '',
  );
  const restarts = await readRestartCounts();
  if (restarts !== restartsBefore)
    throw new Error(`containers of runners were restarted: ${restartsBefore} before, ${restarts} now`);
  const open = outcomes.filter(({ escaped }) => escaped.length > 0).map(({ attack }) => attack.name);
  return `${cases.length} attacks, ${open.length} open as documented (${open.join(', ')})`;
}

/** Returns the restart counts of all containers of the runners. */
const readRestartCounts = () =>
  kubectl(
    '-n',
    runnersNamespace,
    'get',
    'pods',
    '-o',
    'jsonpath={.items[*].status.initContainerStatuses[*].restartCount},{.items[*].status.containerStatuses[*].restartCount}',
  );

/** Returns the seat processes and scratch files that still exist in the runners; '' if there are none. */
async function findRemains(): Promise<string> {
  const script =
    'cat /proc/[0-9]*/comm | grep "^seat-[0-9]"; find /run/scratch /run/husky/scratch -mindepth 2 2>/dev/null';
  const pods = (await runnerPods()).filter(({ deleting }) => !deleting);
  const outputs = await Promise.all(
    pods.map(({ name }) =>
      kubectl('-n', runnersNamespace, 'exec', name, '-c', 'seats', '--', 'sh', '-c', `${script}; true`),
    ),
  );
  return outputs.join('').trim();
}
