import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../bench/spread.ts';
import { kubectl, release, runnerPods, runnersNamespace, waitUntil } from './cluster.ts';
import { type FakeRunners, startFakeRunners } from './fake-runners.ts';
import {
  labelRunnerNode,
  removeSimulatedNodes,
  runnerNodeLabel,
  simulatedNodeTaint,
  startSimulatedNodes,
} from './kwok.ts';
import {
  countReadyRunners,
  type Platform,
  readProjectFile,
  startMatches,
  steadyPlayers,
  waitUntilPlaying,
} from './platform.ts';
import { countCalls, measureCosts, stopCounting } from './pool-costs.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { checkContainerPage } from './thousand-page.ts';

const size = 1000;
/** Number of runners that are real pods, on node1. They play matches that last longer than the test. */
const realCount = 3;
const fakeCount = size - realCount;
const longHands = 10_000;
/** 13 users make 1,716 matches, more than there are runners. */
const users = [...steadyPlayers, ...Array.from({ length: 7 }, (_, seat) => `steady-${seat + 7}`)];
/** In the step that removes runners while most are busy: the number of idle ones, and of busy ones to remove. */
const idleCount = 40;
const busyCount = 60;
const reducedSize = size - idleCount - busyCount;

/**
 * Returns the steps with a thousand runners: three real pods, and 997 on simulated nodes of kwok, for which this process claims matches,
 * sends heartbeats and hands matches back, without playing hands. API server, controllers, scheduler and platform are real.
 */
export function thousandSteps(platform: Platform): Step[] {
  let fakes: FakeRunners | undefined;
  let stopKwok: (() => void) | undefined;
  let jobs: string[] = [];
  let batch = '';
  const requireFakes = () => {
    if (fakes === undefined) throw new Error('the simulated runners were not started');
    return fakes;
  };
  const batchAction = async (action: 'pause' | 'cancel') =>
    void (await (await platform.admin()).post(`/llm/batch/${batch}/${action}`));
  const listRunners = async (state: string) =>
    (await platform.containers())
      .filter((container) => container.state === state)
      .map(({ container_name }) => container_name);
  const waitForState = (state: string, count: number, maxSeconds: number) =>
    waitUntil(
      `${count} ${state} runners`,
      maxSeconds,
      async () => (await listRunners(state)).length,
      (current) => current === count,
    );
  const waitForRemaining = (count: number, maxSeconds: number) =>
    waitUntil(
      `${count} remaining simulated runners`,
      maxSeconds,
      async () => requireFakes().size,
      (current) => current === count,
    );

  /** Returns the number of hands played in the long matches. Throws unless the three real runners still play them. */
  async function readLongMatchHands(): Promise<number> {
    const players = (await platform.containers()).filter(({ job_id }) => job_id !== null && jobs.includes(job_id));
    const count = players.filter(({ container_name }) => !requireFakes().has(container_name)).length;
    if (count !== realCount)
      throw new Error(`the real runners play ${count} of their ${realCount} long matches: the others were lost`);
    const states = await Promise.all(jobs.map((job) => platform.status(job)));
    return states.reduce((hands, { hands_done }) => hands + hands_done, 0);
  }

  /**
   * Scales to `target` and runs `during` concurrently. Returns duration and costs. Throws if the scaling job fails or a runner was
   * deleted during a match.
   */
  async function resize(target: number, during: () => Promise<unknown> = async () => undefined): Promise<string> {
    const { failures, killed } = requireFakes();
    failures.clear();
    const listFailures = () => [...failures].map(([text, count]) => `${count} failed calls: ${text}`);
    const { result: tookMs, costs } = await measureCosts(async () => {
      const scaled = platform.scaleAndWait(target, 420).then(({ job, tookMs }) => {
        if (job.status !== 'Finished')
          throw new Error([job.error_message?.slice(0, 300), ...listFailures()].join('; '));
        return tookMs;
      });
      return (await Promise.all([scaled, during()]))[0];
    });
    if (killed.length > 0)
      throw new Error(`${killed.length} were deleted during a match: ${killed.slice(0, 5).join(', ')}`);
    return [seconds(tookMs), costs, ...listFailures()].join('; ');
  }

  return [
    {
      name: 'thousand: three real runners are busy, and ten simulated nodes admit further ones by nodeSelector and tolerations',
      required: true,
      // Includes the build of kwok.
      minutes: 20,
      async run() {
        for (const user of users.slice(steadyPlayers.length)) {
          // An earlier run on this release may have registered the user.
          await platform
            .registerPlayer(user, readProjectFile('scripts/proof/kube/bots/steady.py'))
            .catch((error: Error) => {
              if (!error.message.includes('already')) throw error;
            });
        }
        await platform.scaleAndWait(realCount, 200);
        await labelRunnerNode();
        await upgradeWithin(
          '6m',
          '--set',
          `runners.maxSize=${size},runners.drainSeconds=120,runners.startSeconds=120`,
          '--set-json',
          `runners.nodeSelector=${JSON.stringify({ [runnerNodeLabel]: 'true' })}`,
          '--set-json',
          `runners.tolerations=${JSON.stringify([simulatedNodeTaint])}`,
        );
        await waitForState('idle', realCount, 120);
        jobs = await startMatches(platform, realCount, longHands);
        await waitUntilPlaying(platform, jobs, realCount);
        await kubectl('cordon', 'node1');
        stopKwok = await startSimulatedNodes();
        await countCalls();
        fakes = await startFakeRunners();
      },
    },
    {
      name: `thousand: scales ${realCount} -> ${size}`,
      required: true,
      async run() {
        const costs = await resize(size);
        const idle = (await listRunners('idle')).length;
        if (idle !== fakeCount) throw new Error(`${idle} are idle instead of ${fakeCount}`);
        return costs;
      },
    },
    {
      name: "thousand: the list of runners is returned, and any runner's log or the reason why it cannot be read",
      async run() {
        await readLongMatchHands();
        const admin = await platform.admin();
        const timesMs: number[] = [];
        for (let call = 0; call < 20; call++) {
          const startedMs = performance.now();
          await platform.containers();
          timesMs.push(performance.now() - startedMs);
        }
        const all = await platform.containers();
        const readLog = async (runner: (typeof all)[number] | undefined) => {
          const startedMs = performance.now();
          const log = await admin.get<{ log_content: string }>(`/docker/game-log/${runner?.port}`);
          return { text: log.log_content.trim().split('\n').at(-1) ?? '', tookMs: performance.now() - startedMs };
        };
        const real = await readLog(all.find(({ state }) => state === 'active'));
        if (!/^(dealer|seats) \| /.test(real.text)) throw new Error(`the log of a real runner: ${real.text}`);
        const simulated = await readLog(all.find(({ state }) => state === 'idle'));
        if (!simulated.text.startsWith('pool | the log of ')) {
          throw new Error(`the log of a simulated runner: ${simulated.text}`);
        }
        const [p50, slowest] = [quantile(timesMs, 0.5), Math.max(...timesMs)].map((ms) => ms.toFixed(0));
        return `list ${p50} ms (slowest ${slowest}); log ${real.tookMs.toFixed(0)} ms; simulated: "${simulated.text}" (${simulated.tookMs.toFixed(0)} ms)`;
      },
    },
    {
      name: 'thousand: the container page renders only visible rows, and can be navigated by keyboard, searched and filtered',
      async run() {
        const [real = ''] = await listRunners('active');
        const expected = { idle: fakeCount, active: realCount, real };
        return checkContainerPage(platform.origin, await platform.token(), expected);
      },
    },
    {
      name: `thousand: scales ${size} -> ${reducedSize} while all but ${idleCount} are busy: removes idle runners first, then those with the highest numbers as soon as their match has ended`,
      required: true,
      async run() {
        const all = requireFakes();
        await readLongMatchHands();
        const body = { users_list: users, num_rounds: 100, stacks: 'reset' };
        batch = (await (await platform.admin()).post<{ batch_id: string }>('/llm/batch-run', body)).batch_id;
        const startedMs = performance.now();
        await waitUntil(
          'a match for every simulated runner',
          240,
          async () => all.busy.length,
          (busy) => busy === fakeCount,
          200,
        );
        const claimedMs = performance.now() - startedMs;
        await batchAction('pause');
        await waitForState('active', size, 60);
        const idle = all.busy.slice(0, idleCount);
        all.release(idle);
        await waitForState('idle', idleCount, 60);
        const active = (await platform.containers()).filter(({ state }) => state === 'active');
        const order = active.sort((a, b) => b.port - a.port).map(({ container_name }) => container_name);
        // This process cannot end the match of a real runner, so only runners that come before the first real one are removed.
        const leaving = order.slice(
          0,
          Math.min(
            busyCount,
            order.findIndex((name) => !all.has(name)),
          ),
        );
        const target = size - idleCount - leaving.length;
        const costs = await resize(target, async () => {
          await waitForRemaining(fakeCount - idleCount, 120);
          // No other runner may be removed while all of them are busy.
          await pause(3000);
          const removed = fakeCount - idleCount - all.size;
          if (removed !== 0) throw new Error(`${removed} busy runners were removed`);
          for (let from = 0; from < leaving.length; from += 10) {
            all.release(leaving.slice(from, from + 10));
            await pause(500);
          }
        });
        await waitForRemaining(target - realCount, 20);
        const kept = [...idle, ...leaving].filter((name) => all.has(name));
        if (kept.length > 0) throw new Error(`kept, and others removed: ${kept.slice(0, 5).join(', ')}`);
        return `${fakeCount} claims within ${seconds(claimedMs)}; -> ${target} ${costs}`;
      },
    },
    {
      name: `thousand: scales back to ${realCount}: the three busy runners are kept and continue`,
      required: true,
      minutes: 10,
      async run() {
        const all = requireFakes();
        all.release(all.busy);
        await waitForState('idle', all.size, 120);
        const [before, handsBefore] = [all.size + realCount, await readLongMatchHands()];
        const costs = await resize(realCount);
        await waitForRemaining(0, 20);
        const hands = await waitUntil(
          'further hands of the long matches',
          60,
          readLongMatchHands,
          (count) => count > handsBefore,
        );
        return `${before} -> ${realCount} ${costs}; long matches: ${handsBefore} -> ${hands} hands`;
      },
    },
    {
      name: 'thousand: the cluster is restored',
      always: true,
      minutes: 20,
      async run() {
        const problems: string[] = [];
        // After a failed step the services may still be overloaded.
        const retry = (description: string, maxSeconds: number, action: () => Promise<unknown>) =>
          waitUntil(description, maxSeconds, action, () => true, 2000);
        const actions = [
          () => retry('cancellation of the batch', 60, async () => (batch === '' ? '' : batchAction('cancel'))),
          ...jobs.map((job) => async () => {
            const admin = await platform.admin();
            await retry(`deletion of match ${job}`, 30, () => admin.delete(`/sim/job/${job}`));
          }),
          async () => fakes?.release(fakes.busy),
          () =>
            retry(`scaling to ${realCount} runners`, 300, async () => {
              const { job } = await platform.scaleAndWait(realCount, 300);
              if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
            }),
          // In case the pool could not scale: a thousand pods would start on node1.
          () => kubectl('-n', runnersNamespace, 'scale', `deployment/${release}-runner`, `--replicas=${realCount}`),
          () => waitUntil(`${realCount} pods`, 180, runnerPods, (pods) => pods.length === realCount, 2000),
          async () => fakes?.close(),
          removeSimulatedNodes,
          stopCounting,
          async () => stopKwok?.(),
          () => upgradeWithin('6m'),
          () => waitUntil(`${realCount} ready runners`, 120, countReadyRunners, (count) => count === realCount),
        ];
        for (const action of actions) {
          await action().catch((error: Error) => problems.push(error.message));
        }
        if (problems.length > 0) throw new Error(problems.join('; '));
      },
    },
  ];
}
