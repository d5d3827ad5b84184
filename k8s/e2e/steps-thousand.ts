import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../scripts/bench/spread.ts';
import { kubectl, release, runnerPods, runnersNamespace, until } from './cluster.ts';
import { type FakeRunners, startFakeRunners } from './fake-runners.ts';
import { admitRunners, forRunners, removeNodes, simulated, startNodes } from './kwok.ts';
import { botText, matches, type Platform, playing, readyRunners, steadyPlayers } from './platform.ts';
import { countCalls, stopCounting, withCosts } from './pool-costs.ts';
import { type Step, seconds } from './steps.ts';
import { upgradeWithin } from './steps-chart.ts';
import { checkContainerPage } from './thousand-page.ts';

const size = 1000;
/** Three runners are real pods on node1. They play matches meanwhile that outlast the test. */
const real = 3;
const fake = size - real;
const longHands = 10_000;
/** 13 users make 1,716 matches, more than there are runners. */
const users = [...steadyPlayers, ...Array.from({ length: 7 }, (_, seat) => `steady-${seat + 7}`)];
const idleOnes = 40;
const busyOnes = 60;
const smaller = size - idleOnes - busyOnes;

/**
 * A thousand runners: three real pods, and 997 on simulated nodes of kwok, whose dealers this process plays: it makes their claims,
 * heartbeats and hand-backs, without seats and hands. API server, controllers, scheduler and the platform are the real ones.
 */
export function thousandSteps(platform: Platform): Step[] {
  let fakes: FakeRunners | undefined;
  let stopKwok: (() => void) | undefined;
  let jobs: string[] = [];
  let batch = '';
  const started = () => {
    if (fakes === undefined) throw new Error('the simulated runners were not started');
    return fakes;
  };
  const batchAction = async (action: 'pause' | 'cancel') =>
    void (await (await platform.admin()).post(`/llm/batch/${batch}/${action}`));
  const named = async (state: string) =>
    (await platform.containers()).filter((container) => container.state === state).map((it) => it.container_name);
  const untilInState = (state: string, count: number, maxSeconds: number) =>
    until(
      `${count} ${state} runners`,
      maxSeconds,
      async () => (await named(state)).length,
      (is) => is === count,
    );
  const untilLeft = (count: number, maxSeconds: number) =>
    until(
      `${count} simulated runners are left`,
      maxSeconds,
      async () => started().size,
      (is) => is === count,
    );

  /** Returns how many hands of the long matches are played. Throws unless three real runners play them. */
  async function longHandsPlayed(): Promise<number> {
    const players = (await platform.containers()).filter(({ job_id }) => job_id !== null && jobs.includes(job_id));
    const own = players.filter(({ container_name }) => !started().has(container_name)).length;
    if (own !== real)
      throw new Error(`the real runners play ${own} of their ${real} long matches: the others were lost`);
    const states = await Promise.all(jobs.map((job) => platform.status(job)));
    return states.reduce((hands, { hands_done }) => hands + hands_done, 0);
  }

  /** Scales, with `during` beside it. Returns duration and costs. Throws if the job fails or a runner was deleted in a match. */
  async function resize(target: number, during: () => Promise<unknown> = async () => undefined): Promise<string> {
    const { failures, killed } = started();
    failures.clear();
    const failed = () => [...failures].map(([text, count]) => `${count} failed calls: ${text}`);
    const { result: tookMs, costs } = await withCosts(async () => {
      const scaled = platform.scaled(target, 420).then(({ job, tookMs }) => {
        if (job.status !== 'Finished') throw new Error([job.error_message?.slice(0, 300), ...failed()].join('; '));
        return tookMs;
      });
      return (await Promise.all([scaled, during()]))[0];
    });
    if (killed.length > 0)
      throw new Error(`${killed.length} were deleted in a match: ${killed.slice(0, 5).join(', ')}`);
    return [seconds(tookMs), costs, ...failed()].join('; ');
  }

  return [
    {
      name: 'thousand: three real runners in matches, and ten simulated nodes for the others by nodeSelector and tolerations',
      needed: true,
      // The first time it compiles.
      minutes: 20,
      async run() {
        for (const user of users.slice(steadyPlayers.length)) {
          // An earlier run on this release has registered them.
          await platform.player(user, botText('k8s/e2e/bots/steady.py')).catch((error: Error) => {
            if (!error.message.includes('already')) throw error;
          });
        }
        await platform.scaled(real, 200);
        await admitRunners();
        await upgradeWithin(
          '6m',
          ...['--set', `runners.maxSize=${size},runners.drainSeconds=120,runners.startSeconds=120`],
          ...['--set-json', `runners.nodeSelector=${JSON.stringify({ [forRunners]: 'true' })}`],
          ...['--set-json', `runners.tolerations=${JSON.stringify([simulated])}`],
        );
        await untilInState('idle', real, 120);
        jobs = await matches(platform, real, longHands);
        await playing(platform, jobs, real);
        await kubectl('cordon', 'node1');
        stopKwok = await startNodes();
        await countCalls();
        fakes = await startFakeRunners();
      },
    },
    {
      name: `thousand: scales ${real} -> ${size}`,
      needed: true,
      async run() {
        const costs = await resize(size);
        const idle = (await named('idle')).length;
        if (idle !== fake) throw new Error(`${idle} are idle instead of ${fake}`);
        return costs;
      },
    },
    {
      name: 'thousand: the list of the runners, and the log of any of them, which is text or a reason',
      async run() {
        await longHandsPlayed();
        const admin = await platform.admin();
        const timesMs: number[] = [];
        for (let call = 0; call < 20; call++) {
          const beganMs = performance.now();
          await platform.containers();
          timesMs.push(performance.now() - beganMs);
        }
        const all = await platform.containers();
        const read = async (of: (typeof all)[number] | undefined) => {
          const beganMs = performance.now();
          const log = await admin.get<{ log_content: string }>(`/docker/game-log/${of?.port}`);
          return { text: log.log_content.trim().split('\n').at(-1) ?? '', tookMs: performance.now() - beganMs };
        };
        const own = await read(all.find(({ state }) => state === 'active'));
        if (!/^(dealer|seats) \| /.test(own.text)) throw new Error(`the log of a real runner: ${own.text}`);
        const other = await read(all.find(({ state }) => state === 'idle'));
        if (!other.text.startsWith('pool | the log of ')) {
          throw new Error(`the log of a simulated runner: ${other.text}`);
        }
        const [p50, slowest] = [quantile(timesMs, 0.5), Math.max(...timesMs)].map((ms) => ms.toFixed(0));
        return `list ${p50} ms (slowest ${slowest}); log ${own.tookMs.toFixed(0)} ms; simulated: "${other.text}" (${other.tookMs.toFixed(0)} ms)`;
      },
    },
    {
      name: 'thousand: the container page renders visible rows only, moves by keyboard, searches, filters and shows logs',
      async run() {
        const [shown = ''] = await named('active');
        return checkContainerPage(platform.origin, await platform.token(), { idle: fake, active: real, real: shown });
      },
    },
    {
      name: `thousand: scales ${size} -> ${smaller} while all but ${idleOnes} are in a match: idle ones leave first, then those of the highest numbers, when their match ends`,
      needed: true,
      async run() {
        const all = started();
        await longHandsPlayed();
        const body = { users_list: users, num_rounds: 100, stacks: 'reset' };
        batch = (await (await platform.admin()).post<{ batch_id: string }>('/llm/batch-run', body)).batch_id;
        const beganMs = performance.now();
        await until(
          'every simulated runner in a match',
          240,
          async () => all.busy.length,
          (is) => is === fake,
          200,
        );
        const claimedMs = performance.now() - beganMs;
        await batchAction('pause');
        await untilInState('active', size, 60);
        const idle = all.busy.slice(0, idleOnes);
        all.release(idle);
        await untilInState('idle', idleOnes, 60);
        const active = (await platform.containers()).filter(({ state }) => state === 'active');
        const order = active.sort((a, b) => b.port - a.port).map(({ container_name }) => container_name);
        // This process cannot end a real runner's match: no more leave than come before the first of them.
        const leaving = order.slice(
          0,
          Math.min(
            busyOnes,
            order.findIndex((name) => !all.has(name)),
          ),
        );
        const target = size - idleOnes - leaving.length;
        const costs = await resize(target, async () => {
          await untilLeft(fake - idleOnes, 120);
          // Nobody else may leave while all are in a match.
          await pause(3000);
          if (all.size !== fake - idleOnes) throw new Error(`${fake - idleOnes - all.size} left in a match`);
          for (let from = 0; from < leaving.length; from += 10) {
            all.release(leaving.slice(from, from + 10));
            await pause(500);
          }
        });
        await untilLeft(target - real, 20);
        const stayed = [...idle, ...leaving].filter((name) => all.has(name));
        if (stayed.length > 0) throw new Error(`stayed instead of others: ${stayed.slice(0, 5).join(', ')}`);
        return `${fake} claims within ${seconds(claimedMs)}; -> ${target} ${costs}`;
      },
    },
    {
      name: `thousand: scales -> ${real}: the three runners in a match stay and play on`,
      needed: true,
      minutes: 10,
      async run() {
        const all = started();
        all.release(all.busy);
        await untilInState('idle', all.size, 120);
        const [before, handsBefore] = [all.size + real, await longHandsPlayed()];
        const costs = await resize(real);
        await untilLeft(0, 20);
        const hands = await until('further hands of the long matches', 60, longHandsPlayed, (is) => is > handsBefore);
        return `${before} -> ${real} ${costs}; long matches: ${handsBefore} -> ${hands} hands`;
      },
    },
    {
      name: 'thousand: the cluster is as before',
      always: true,
      minutes: 20,
      async run() {
        const problems: string[] = [];
        // Repeated: the services may still be overloaded by what has failed.
        const repeated = (what: string, maxSeconds: number, work: () => Promise<unknown>) =>
          until(what, maxSeconds, work, () => true, 2000);
        const works = [
          () => repeated('the batch is cancelled', 60, async () => (batch === '' ? '' : batchAction('cancel'))),
          ...jobs.map((job) => async () => {
            const admin = await platform.admin();
            await repeated(`match ${job} is deleted`, 30, () => admin.delete(`/sim/job/${job}`));
          }),
          async () => fakes?.release(fakes.busy),
          () =>
            repeated(`the pool has ${real} runners`, 300, async () => {
              const { job } = await platform.scaled(real, 300);
              if (job.status !== 'Finished') throw new Error(job.error_message ?? job.status);
            }),
          // Without effect unless the pool could not. Otherwise a thousand pods would start on node1.
          () => kubectl('-n', runnersNamespace, 'scale', `deployment/${release}-runner`, `--replicas=${real}`),
          () => until(`${real} pods`, 180, runnerPods, (pods) => pods.length === real, 2000),
          async () => fakes?.close(),
          removeNodes,
          stopCounting,
          async () => stopKwok?.(),
          () => upgradeWithin('6m'),
          () => until(`${real} ready runners`, 120, readyRunners, (count) => count === real),
        ];
        for (const work of works) {
          await work().catch((error: Error) => problems.push(error.message));
        }
        if (problems.length > 0) throw new Error(problems.join('; '));
      },
    },
  ];
}
