import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LastBlinds } from '@husky/holdem/positions';
import { CHUNK_HANDS, encodeChunk } from '@husky/match/chunk';
import { blindsAfterRecord, type HandRecord, postsOf } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { Match } from '../src/play/match.ts';
import { defaultLimits } from '../src/play/setup.ts';
import { findPython, LocalHost } from './local-host.ts';
import { installPackages, needsPackages } from './packages.ts';

const { values } = parseArgs({
  options: {
    bots: { type: 'string', default: Array(6).fill('trivial').join(',') },
    hands: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '1' },
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

interface Result {
  readonly handsPlayed: number;
  readonly acts: number;
  readonly seconds: number;
  readonly handsPerSecond: number;
  readonly usPerAct: number;
  /** Processor time of the seats and of the dealer. When both have one core to themselves, the sum is the time of an act. */
  readonly seatCpuUsPerAct: number;
  readonly dealerCpuUsPerAct: number;
  readonly openMs: number;
  readonly loadMs: readonly number[];
  readonly bytesPerHand: number;
  readonly deltas: readonly number[];
  readonly verdicts: readonly string[];
}

async function run(local: LocalHost): Promise<Result> {
  const records: HandRecord[] = [];
  const numRounds = Number(values.hands);
  const seats = await Promise.all(
    values.bots.split(',').map(async (bot) => ({
      botDir: local.addBot(folderOf(bot)),
      packagesDir: await packagesOf(local, bot),
    })),
  );
  const setup = {
    name: 'bench',
    rulesVersion: RULES_VERSION,
    seed: values.seed === undefined ? randomBytes(32) : Buffer.from(values.seed, 'hex'),
    numRounds,
    startingStack: 10_000,
    stacks: 'carry' as const,
    blinds: { bigBlind: 10, multiplier: '1', interval: 1000 },
    profile: values.profile === 'classic' ? ('classic' as const) : ('documented' as const),
    limits: defaultLimits,
    seats,
  };
  const match = new Match(setup, local.host, { onHand: (_, record) => void records.push(record), hold: () => null });
  const opened = performance.now();
  await match.start();
  const started = performance.now();
  const before = process.cpuUsage();
  const { handsPlayed } = await match.play();
  const ended = performance.now();
  const dealer = process.cpuUsage(before);
  const reports = await match.close();
  const stacks = seats.map(() => setup.startingStack);
  let bytes = 0;
  let last: LastBlinds = { bigBlindSeat: null, nextButton: null };
  for (let first = 0; first < records.length; first += CHUNK_HANDS) {
    const hands = records.slice(first, first + CHUNK_HANDS);
    const content = {
      rulesVersion: RULES_VERSION,
      firstHand: first + 1,
      startStacks: stacks.slice(),
      ...last,
      hands,
    };
    bytes += encodeChunk(content).length;
    for (const record of hands) {
      for (const [seat, delta] of record.deltas.entries()) stacks[seat] = (stacks[seat] ?? 0) + delta;
      last = blindsAfterRecord(RULES_VERSION, record, last);
    }
  }
  const acts = records.reduce((sum, record) => sum + record.actions.length - postsOf(record), 0);
  const seconds = (ended - started) / 1000;
  return {
    handsPlayed,
    acts,
    seconds,
    handsPerSecond: handsPlayed / seconds,
    usPerAct: (seconds * 1e6) / acts,
    seatCpuUsPerAct: (reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0) * 1000) / acts,
    dealerCpuUsPerAct: (dealer.user + dealer.system) / acts,
    openMs: started - opened,
    loadMs: match.seats.map(({ loadMs }) => loadMs),
    bytesPerHand: bytes / handsPlayed,
    deltas: stacks.map((chips) => chips - setup.startingStack),
    verdicts: reports.map(({ verdict }) => verdict),
  };
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
    if (values.json) continue;
    const {
      handsPlayed,
      seconds,
      handsPerSecond,
      usPerAct,
      seatCpuUsPerAct,
      dealerCpuUsPerAct,
      openMs,
      bytesPerHand,
      acts,
    } = result;
    console.log(
      `${handsPlayed} hands, ${acts} acts in ${seconds.toFixed(2)} s: ${handsPerSecond.toFixed(0)} hands/s, ` +
        `${usPerAct.toFixed(1)} us an act (CPU: dealer ${dealerCpuUsPerAct.toFixed(1)}, seats ${seatCpuUsPerAct.toFixed(1)}), seats ready in ${openMs.toFixed(0)} ms, ` +
        `${bytesPerHand.toFixed(1)} bytes a hand; results ${result.deltas.join(' ')}` +
        result.verdicts.map((verdict, seat) => (verdict === '' ? '' : `\n  seat ${seat}: ${verdict}`)).join(''),
    );
  }
} finally {
  await local.stop();
}
if (values.json) console.log(JSON.stringify(results));
