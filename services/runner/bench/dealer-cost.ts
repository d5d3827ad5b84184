// Measures what matches of thinking bots cost outside the bots: processor seconds of the dealer (with its digests, chunks and their
// protobuf), of the seats and of their host, and the start of six seats. `--root` measures another checkout by the same program, so
// that two versions can alternate in one run. `--cpu` puts dealer, host and seats on one core, as a fleet does: wake-ups on another
// core add two thirds to the dealer's figure. `--profile` prints the dealer's functions by self time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { postsOf } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { installPackages, needsPackages } from './packages.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '../../..') },
    bots: { type: 'string', default: 'house,tight-aggressive,position-aware,pressure,random-legal,calling-station' },
    hands: { type: 'string', default: '1000' },
    matches: { type: 'string', default: '4' },
    cpu: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});

type Dealing = typeof import('../src/play/match.ts') &
  typeof import('../src/play/setup.ts') &
  typeof import('../src/work/delivery.ts') &
  typeof import('./local-host.ts');
const runner = join(resolve(values.root), 'services/runner');
const names = ['src/play/match.ts', 'src/play/setup.ts', 'src/work/delivery.ts', 'bench/local-host.ts'];
const modules = await Promise.all(names.map((name) => import(join(runner, name))));
const { Match, defaultLimits, Delivery, LocalHost, findPython } = Object.assign({}, ...modules) as Dealing;

/** Returns the processor time of a process and of its reaped children in ms, from the kernel's accounting. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 13).reduce((sum, ticks) => sum + 10 * Number(ticks), 0);
}

/** Returns the process ids of the seat host and its zygotes. */
function hostPids(host: number): number[] {
  const zygotes = (pid: number) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
      .split(' ')
      .filter((child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'latin1') === 'seat-zygote\n')
      .map(Number);
  return [host, ...zygotes(host), ...zygotes(host).flatMap(zygotes)];
}

export interface Cost {
  readonly acts: number;
  readonly seconds: number;
  readonly openMs: number;
  readonly dealerMs: number;
  readonly startMs: number;
  readonly seatsMs: number;
  readonly hostMs: number;
}

if (values.cpu !== undefined) spawnSync('taskset', ['-acp', values.cpu, String(process.pid)]);
const python = findPython();
const local = await LocalHost.start(python, values.cpu === undefined ? [] : ['--cpu', values.cpu]);

async function seatsOf(bots: readonly string[]) {
  const seats = new Map<string, { botDir: string; packagesDir: string | null }>();
  for (const bot of bots) {
    if (seats.has(bot)) continue;
    const folder = join(runner, bot.startsWith('fixture:') ? 'fixtures/bots' : 'bots', bot.replace('fixture:', ''));
    const target = join(local.runDir, 'packages', basename(folder));
    const packaged = needsPackages(folder);
    if (packaged) await installPackages(folder, target, python);
    seats.set(bot, { botDir: local.addBot(folder), packagesDir: packaged ? target : null });
  }
  return bots.map((bot) => seats.get(bot) as { botDir: string; packagesDir: string | null });
}

const seats = await seatsOf(values.bots.split(','));

async function play(number: number): Promise<Cost> {
  const seed = createHash('sha256').update(`dealer-cost ${number}`).digest();
  let acts = 0;
  const delivery = new Delivery({
    jobId: '00000000-0000-4000-8000-000000000000',
    attempt: 1,
    rulesVersion: RULES_VERSION,
    players: seats.length,
    startingStack: 10_000,
    stacks: 'reset',
    send: async () => undefined,
    onFailed: (error) => {
      throw error;
    },
  });
  const setup = {
    name: 'bench',
    rulesVersion: RULES_VERSION,
    seed,
    numRounds: Number(values.hands),
    startingStack: 10_000,
    stacks: 'reset' as const,
    blinds: { bigBlind: 100, multiplier: '1', interval: 1000 },
    profile: 'documented' as const,
    limits: defaultLimits,
    seats,
  };
  const match = new Match(setup, local.host, {
    onHand: (hand, record) => {
      acts += record.actions.length - postsOf(record);
      delivery.add(hand, record);
    },
    hold: () => delivery.hold(),
  });
  const hostPid = local.process.pid as number;
  const hostBefore = hostPids(hostPid).reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = process.cpuUsage();
  const opened = performance.now();
  await match.start();
  const started = performance.now();
  const start = process.cpuUsage(before);
  await match.play();
  const seconds = (performance.now() - started) / 1000;
  await delivery.finish();
  const reports = await match.close();
  const all = process.cpuUsage(before);
  return {
    acts,
    seconds,
    openMs: started - opened,
    dealerMs: (all.user + all.system) / 1000,
    startMs: (start.user + start.system) / 1000,
    seatsMs: reports.reduce((sum, report) => sum + report.cpuMs, 0),
    hostMs: hostPids(hostPid).reduce((sum, pid) => sum + cpuMs(pid), 0) - hostBefore,
  };
}

const costs: Cost[] = [];
const session = new Session();
try {
  await play(0);
  if (values.profile) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  }
  for (let number = 1; number <= Number(values.matches); number++) costs.push(await play(number));
  if (values.profile) {
    const { profile } = await session.post('Profiler.stop');
    const self = new Map<string, number>();
    const byId = new Map(profile.nodes.map((node) => [node.id, node]));
    let total = 0;
    for (const [index, id] of (profile.samples ?? []).entries()) {
      const { functionName, url, lineNumber } = byId.get(id)?.callFrame ?? {
        functionName: '?',
        url: '',
        lineNumber: 0,
      };
      const us = profile.timeDeltas?.[index] ?? 0;
      if (functionName === '(idle)' || functionName === '(program)') continue;
      total += us;
      const key = `${functionName || '(anonymous)'} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
      self.set(key, (self.get(key) ?? 0) + us);
    }
    for (const [name, us] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 60))
      console.error(`${((100 * us) / total).toFixed(1).padStart(5)} %  ${name}`);
  }
} finally {
  await local.stop();
}
console.log(JSON.stringify(costs));
