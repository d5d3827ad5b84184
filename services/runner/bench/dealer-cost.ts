// `make bench-dealer`: what matches of thinking bots cost outside the bots: processor time of the dealer (with its digests, chunks and their
// protobuf), of the seats and of their host, and the start of six seats. `--cpu` puts dealer, host and seats on one core, as a fleet does:
// wake-ups on another core add two thirds to the dealer's figure.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { postsOf } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { Match } from '../src/play/match.ts';
import { defaultLimits } from '../src/play/setup.ts';
import { Delivery } from '../src/work/delivery.ts';
import { findPython, LocalHost } from './local-host.ts';
import { installPackages, needsPackages } from './packages.ts';

const { values } = parseArgs({
  options: {
    bots: { type: 'string', default: 'house,tight-aggressive,position-aware,pressure,random-legal,calling-station' },
    hands: { type: 'string', default: '1000' },
    matches: { type: 'string', default: '4' },
    cpu: { type: 'string' },
  },
});
const runner = join(import.meta.dirname, '..');

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

interface Cost {
  readonly acts: number;
  readonly seconds: number;
  readonly openMs: number;
  readonly dealerMs: number;
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
    seatsMs: reports.reduce((sum, report) => sum + report.cpuMs, 0),
    hostMs: hostPids(hostPid).reduce((sum, pid) => sum + cpuMs(pid), 0) - hostBefore,
  };
}

try {
  // Compiles the code.
  await play(0);
  for (let number = 1; number <= Number(values.matches); number++) {
    const { acts, seconds, openMs, dealerMs, seatsMs, hostMs } = await play(number);
    const us = [dealerMs, seatsMs, hostMs].map((ms) => ((1000 * ms) / acts).toFixed(1));
    console.log(
      `${acts} decisions in ${seconds.toFixed(2)} s, six seats ready in ${openMs.toFixed(0)} ms; processor time a decision in us: ` +
        `dealer ${us[0]}, seats ${us[1]}, host ${us[2]}`,
    );
  }
} finally {
  await local.stop();
}
