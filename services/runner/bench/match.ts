// Plays matches on a seat host of its own and measures them, with the digests and chunks of a real dealer: `make bench` and `make bench-dealer`.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
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
    bots: { type: 'string', default: Array(6).fill('trivial').join(',') },
    hands: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '1' },
    // One core for dealer, host and seats, as in a fleet: wake-ups on another core add two thirds to the dealer's figure.
    cpu: { type: 'string' },
    python: { type: 'string', default: findPython() },
    profile: { type: 'string', default: 'documented' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
    // Plays without the sandbox's means, to measure their cost.
    unconfined: { type: 'boolean', default: false },
  },
});

const folders = ['../bots', '../fixtures/bots'].map((place) => join(import.meta.dirname, place));

function folderOf(bot: string): string {
  const found = [bot, ...folders.map((folder) => join(folder, bot))].find((place) =>
    existsSync(join(place, 'player.py')),
  );
  if (found === undefined) throw new Error(`no bot ${bot}`);
  return found;
}

const packages = new Map<string, Promise<string>>();

function packagesOf(local: LocalHost, bot: string): Promise<string> | null {
  const folder = folderOf(bot);
  if (!needsPackages(folder)) return null;
  const target = join(local.runDir, 'packages', basename(folder));
  const made = packages.get(target) ?? installPackages(folder, target, values.python).then(() => target);
  packages.set(target, made);
  return made;
}

/** Returns the processor time in ms of the seat host and its zygotes, without the seats. */
function hostCpuMs(host: number): number {
  const zygotes = (pid: number) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
      .split(' ')
      .filter((child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'latin1') === 'seat-zygote\n')
      .map(Number);
  const ticksOf = (pid: number) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const pids = [host, ...zygotes(host), ...zygotes(host).flatMap(zygotes)];
  return 10 * pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
}

interface Result {
  readonly handsPlayed: number;
  readonly acts: number;
  readonly seconds: number;
  readonly handsPerSecond: number;
  readonly usPerAct: number;
  /** Processor time of dealer, seats and host. With one core to themselves, the sum is the time of an act. */
  readonly cpuUsPerAct: { readonly dealer: number; readonly seats: number; readonly host: number };
  readonly openMs: number;
  readonly deltas: readonly number[];
  readonly verdicts: readonly string[];
}

async function run(local: LocalHost): Promise<Result> {
  const seats = await Promise.all(
    values.bots.split(',').map(async (bot) => ({
      botDir: local.addBot(folderOf(bot)),
      packagesDir: await packagesOf(local, bot),
    })),
  );
  const common = { rulesVersion: RULES_VERSION, startingStack: 10_000, stacks: 'carry' as const };
  const setup = {
    ...common,
    name: 'bench',
    seed: values.seed === undefined ? randomBytes(32) : Buffer.from(values.seed, 'hex'),
    numRounds: Number(values.hands),
    blinds: { bigBlind: 10, multiplier: '1', interval: 1000 },
    profile: values.profile === 'classic' ? ('classic' as const) : ('documented' as const),
    limits: defaultLimits,
    seats,
  };
  const delivery = new Delivery({
    ...common,
    jobId: '00000000-0000-4000-8000-000000000000',
    attempt: 1,
    players: seats.length,
    send: async () => undefined,
    onFailed: (error) => {
      throw error;
    },
  });
  let acts = 0;
  const deltas = seats.map(() => 0);
  const match = new Match(setup, local.host, {
    onHand: (number, record) => {
      acts += record.actions.length - postsOf(record);
      for (const [seat, delta] of record.deltas.entries()) deltas[seat] = (deltas[seat] ?? 0) + delta;
      delivery.add(number, record);
    },
    hold: () => delivery.hold(),
  });
  const opened = performance.now();
  await match.start();
  const started = performance.now();
  const before = process.cpuUsage();
  const hostBefore = hostCpuMs(local.process.pid as number);
  const { handsPlayed } = await match.play();
  const seconds = (performance.now() - started) / 1000;
  const hostMs = hostCpuMs(local.process.pid as number) - hostBefore;
  await delivery.finish();
  const dealer = process.cpuUsage(before);
  const reports = await match.close();
  return {
    handsPlayed,
    acts,
    seconds,
    handsPerSecond: handsPlayed / seconds,
    usPerAct: (seconds * 1e6) / acts,
    cpuUsPerAct: {
      dealer: (dealer.user + dealer.system) / acts,
      seats: (reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0) * 1000) / acts,
      host: (hostMs * 1000) / acts,
    },
    openMs: started - opened,
    deltas,
    verdicts: reports.map(({ verdict }) => verdict),
  };
}

function print({ handsPlayed, acts, seconds, handsPerSecond, usPerAct, cpuUsPerAct, openMs, ...seats }: Result): void {
  const cpu = Object.entries(cpuUsPerAct).map(([part, us]) => `${part} ${us.toFixed(1)}`);
  console.log(
    `${handsPlayed} hands, ${acts} acts in ${seconds.toFixed(2)} s: ${handsPerSecond.toFixed(0)} hands/s, ` +
      `${usPerAct.toFixed(1)} us an act (processor time: ${cpu.join(', ')}), seats ready in ${openMs.toFixed(0)} ms; results ${seats.deltas.join(' ')}` +
      seats.verdicts.map((verdict, seat) => (verdict === '' ? '' : `\n  seat ${seat}: ${verdict}`)).join(''),
  );
}

if (values.cpu !== undefined) spawnSync('taskset', ['-acp', values.cpu, String(process.pid)]);
const means = ['seccomp', 'landlock', 'limits', 'own_uid', 'own_root', 'pid_namespace', 'scratch_limit'];
const local = await LocalHost.start(values.python, [
  ...(values.cpu === undefined ? [] : ['--cpu', values.cpu]),
  ...(values.unconfined ? ['--allow-strangers-without-sandbox', ...means.flatMap((name) => ['--without', name])] : []),
]);
const results: Result[] = [];
try {
  for (let number = 0; number < Number(values.runs); number++) {
    const result = await run(local);
    results.push(result);
    if (!values.json) print(result);
  }
} finally {
  await local.stop();
}
if (values.json) console.log(JSON.stringify(results));
