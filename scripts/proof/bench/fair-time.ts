// `make bench-fair-time`: plays matches of honest bots that use almost their time limits, each once on an idle core and once on a core
// shared with a busy loop. Fails if the busy matches have more time-outs than the quiet ones. MATCHES (default 50).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { RULES_VERSION } from '@husky/match/rules-version';
import { LocalHost } from '../../../services/runner/bench/local-host.ts';
import { Match } from '../../../services/runner/src/play/match.ts';
import type { SeatReport } from '../../../services/runner/src/play/seat.ts';
import { defaultLimits } from '../../../services/runner/src/play/setup.ts';
import { findPython } from '../../up/preflight.ts';
import { BenchRun } from './bench-run.ts';
import { median } from './spread.ts';

const matches = Number(process.env.MATCHES ?? 50);
// A twenty-fifth of the usual limits, so that rounding, sampling and delays of the dealer count 25 times as much as in a real match.
// A bot that uses 85 % of the limit in each of its four decisions of a hand uses 93 % of the bank.
const limits = { ...defaultLimits, decisionMs: 200, freeMs: 20, bankMs: 645 };
const nearLimitMs = 0.85 * limits.decisionMs;

/** Returns the source of a bot that runs `think` and then plays CALL. */
const bot = (think: string) => `
import time
from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *a): pass
    def on_round_start(self, *a): pass
    def on_end_round(self, *a): pass
    def on_end_game(self, *a): pass
    def get_action(self, state, chips):
        ${think}
        return PokerAction.CALL, 0
`;
const compute = (ms: number) =>
  bot(`end = time.thread_time() + ${ms / 1000}
        while time.thread_time() < end: pass`);

const python = findPython(process.env.PYTHON).path;

/** Returns the number of iterations of an empty loop that take `ms` of processor time, by the fastest of several measurements. */
function countIterations(ms: number): number {
  const program = 'import time; t = time.thread_time()\nfor _ in range(1000000): pass\nprint(time.thread_time() - t)';
  const seconds = Array.from({ length: 9 }, () =>
    Number(spawnSync('taskset', ['-c', '0', python, '-c', program], { encoding: 'utf8' }).stdout),
  );
  return Math.round((ms / 1000 / Math.min(...seconds)) * 1e6);
}

const seats: readonly { readonly name: string; readonly source: string }[] = [
  { name: 'computes for 85 % of the limit', source: compute(nearLimitMs) },
  {
    name: 'a fixed amount of work, 55 % of the limit when quiet',
    source: bot(`for _ in range(${countIterations(0.55 * limits.decisionMs)}): pass`),
  },
  { name: 'sleeps for 85 % of three times the limit', source: bot(`time.sleep(${(3 * nearLimitMs) / 1000})`) },
  { name: 'computes for 85 % of the free time', source: compute(0.85 * limits.freeMs) },
  { name: 'replies immediately', source: bot('pass') },
  { name: 'replies immediately', source: bot('pass') },
];

interface Figures {
  timeouts: number;
  readonly wallMs: number[];
  readonly maxMs: number[];
  readonly bankUsedMs: number[];
  readonly cpuMs: number[];
}

const phases = ['quiet', 'busy'] as const;
type Phase = (typeof phases)[number];
const createFigures = (): Figures => ({ timeouts: 0, wallMs: [], maxMs: [], bankUsedMs: [], cpuMs: [] });
const figuresByPhase: Record<Phase, Figures[]> = { quiet: seats.map(createFigures), busy: seats.map(createFigures) };

function record(figures: Figures | undefined, { verdict, details, cpuMs }: SeatReport): void {
  if (figures === undefined) return;
  const faults = Number(/(\d+) timeout/.exec(verdict)?.[1] ?? 0);
  figures.timeouts += faults + (details.outKind === 'timeout' ? 1 : 0);
  figures.wallMs.push(Number(details.times?.p50Ms));
  figures.maxMs.push(Number(details.times?.maxMs));
  figures.bankUsedMs.push(details.bankUsedMs ?? 0);
  figures.cpuMs.push(cpuMs);
}

async function play(local: LocalHost, folders: readonly string[], number: number): Promise<SeatReport[]> {
  const setup = {
    name: 'fair-time',
    rulesVersion: RULES_VERSION,
    seed: new Uint8Array(32).fill(number),
    numRounds: 1,
    startingStack: 10_000,
    stacks: 'carry' as const,
    blinds: { bigBlind: 10, multiplier: '1', interval: 1000 },
    profile: 'documented' as const,
    limits,
    seats: folders.map((botDir) => ({ botDir, packagesDir: null })),
  };
  const match = new Match(setup, local.host, { onHand: () => undefined, hold: () => null });
  await match.start();
  await match.play();
  return match.close();
}

const bench = await BenchRun.start('Fair time');
// As in a runner of the pool, dealer and seats share one core.
const core = '0';
spawnSync('taskset', ['-acp', core, String(process.pid)]);
const local = await LocalHost.start(python, ['--cpu', core]);
const burners: ChildProcess[] = cpus().map((_, cpu) => {
  const burner = spawn('taskset', ['-c', String(cpu), python, '-c', 'while True: pass'], { stdio: 'ignore' });
  burner.kill('SIGSTOP');
  return burner;
});
try {
  const folders = seats.map(({ source }, seat) => local.addSource(`honest-${seat}`, source));
  for (let number = 0; number < matches; number++) {
    // Quiet and busy matches alternate, so that other work on the machine affects both equally.
    for (const phase of phases) {
      for (const burner of burners) burner.kill(phase === 'busy' ? 'SIGCONT' : 'SIGSTOP');
      for (const report of await play(local, folders, number)) record(figuresByPhase[phase][report.seat], report);
    }
  }
} finally {
  for (const burner of burners) burner.kill('SIGKILL');
  await local.stop();
}

const lines = [
  `${matches} matches quiet, ${matches} with ${burners.length} busy loops; limit of a decision ${limits.decisionMs} ms, bank ${limits.bankMs} ms`,
  '',
  '| bot | time-outs quiet, busy | decision (wall, median) quiet, busy | ratio | longest, busy | bank used quiet, busy | processor time, ratio |',
  '|---|---|---|---|---|---|---|',
];
for (const [seat, { name }] of seats.entries()) {
  const [quiet = createFigures(), busy = createFigures()] = [figuresByPhase.quiet[seat], figuresByPhase.busy[seat]];
  const [wall, busyWall] = [median(quiet.wallMs), median(busy.wallMs)];
  lines.push(
    `| ${name} | ${quiet.timeouts}, ${busy.timeouts} | ${wall.toFixed(1)}, ${busyWall.toFixed(1)} ms | ${(busyWall / wall).toFixed(2)} | ` +
      `${Math.max(...busy.maxMs).toFixed(0)} ms | ${median(quiet.bankUsedMs)}, ${median(busy.bankUsedMs)} ms | ` +
      `${(median(busy.cpuMs) / median(quiet.cpuMs)).toFixed(2)} |`,
  );
}
const countTimeouts = (phase: Phase) => figuresByPhase[phase].reduce((sum, figures) => sum + figures.timeouts, 0);
const extra = countTimeouts('busy') - countTimeouts('quiet');
lines.push('', `time-out verdicts: ${countTimeouts('quiet')} quiet, ${countTimeouts('busy')} busy`);
await bench.finish(lines.join('\n'));
process.exitCode = extra > 0 ? 1 : 0;
