import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Bench } from '../../test/match-bench.ts';
import { questionIn, type Script, type ScriptedSeat } from '../../test/scripted-host.ts';
import type { SeatReport } from './seat.ts';

/** What a bot does with its processor time, in ms; `Infinity` never ends. */
interface Program {
  readonly loadMs?: number;
  readonly decideMs?: number;
  /** Sleeps instead of computing while it loads or decides. */
  readonly sleeps?: boolean;
  /** Threads that compute beside everything else, from this moment on. */
  readonly threads?: number;
  readonly from?: 'start' | 'decision';
  /** The reply to each question: kind and amount. */
  readonly reply: string;
}

const stepMs = 10;
const honest: Program = { loadMs: 400, decideMs: 150, reply: '3,0' };
const folds = '1,0';
const limits = { startupMs: 2000, decisionMs: 500, bankMs: 20_000, freeMs: 100, faultsToDisable: 3 };

/** A seat on a simulated processor: at most one job of its main thread, and threads that never rest. */
class SimulatedSeat {
  readonly #program: Program;
  #seat: ScriptedSeat | null = null;
  #job: { leftMs: number; readonly line: string } | null = null;
  #threads = 0;
  questions = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  readonly script: Script = (line, seat) => {
    const { loadMs = 5, decideMs = 0, threads = 0, from = 'start', reply } = this.#program;
    this.#seat = seat;
    if (line === '') {
      this.#job = { leftMs: loadMs, line: '{"ready":true,"load_ms":5,"skips":[]}' };
      if (from === 'start') this.#threads = threads;
    } else if (questionIn(line) > 0) {
      this.questions += 1;
      this.#threads = threads;
      this.#job = { leftMs: decideMs, line: `[${questionIn(line)},${reply}]` };
    }
    return [];
  };

  get #mainRuns(): boolean {
    return this.#job !== null && this.#program.sleeps !== true;
  }

  get runnable(): number {
    if (this.#seat === null || this.#seat.stopped || this.#seat.socket?.destroyed === true) return 0;
    return this.#threads + (this.#mainRuns ? 1 : 0);
  }

  /** Gives each of its threads this share of a step. */
  run(shareMs: number): void {
    const seat = this.#seat;
    if (seat === null || this.runnable === 0) return;
    seat.cpuMs += this.#threads * shareMs;
    seat.waitMs += stepMs - shareMs;
    if (this.#job === null || !this.#mainRuns) return;
    seat.cpuMs += Math.min(shareMs, this.#job.leftMs);
    this.#job.leftMs -= shareMs;
    if (this.#job.leftMs > 1e-9) return;
    seat.send(this.#job.line);
    this.#job = null;
  }
}

let bench: Bench;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(async () => {
  vi.useRealTimers();
  await bench.host.stop();
});

/** Plays a match of these bots on one simulated processor, which all threads share equally. */
async function play(programs: readonly Program[]) {
  const seats = programs.map((program) => new SimulatedSeat(program));
  bench = new Bench(seats.map(({ script }) => script));
  const match = await bench.open({ hands: 8, limits });
  let over = false;
  const played = match.start().then(() => match.play());
  const ended = played.finally(() => {
    over = true;
  });
  while (!over) {
    const threads = seats.reduce((sum, { runnable }) => sum + runnable, 0);
    for (const seat of seats) seat.run(stepMs / threads);
    bench.nowMs += stepMs;
    vi.advanceTimersByTime(stepMs);
    for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
  }
  await ended;
  return { reports: await match.close(), seats, deltas: bench.records.map(({ deltas }) => deltas[0]) };
}

const hostile: Record<string, Program> = {
  'never finish loading': { loadMs: Number.POSITIVE_INFINITY, reply: folds },
  'never finish loading, with 31 threads': { loadMs: Number.POSITIVE_INFINITY, threads: 31, reply: folds },
  'sleep while they load': { loadMs: 5, sleeps: true, reply: folds },
  'are ready at once and compute in 31 threads': { threads: 31, reply: folds },
  'compute in a thread from their first decision on': { threads: 1, from: 'decision', reply: folds },
  'compute in 31 threads from their first decision on': { threads: 31, from: 'decision', reply: folds },
  'never answer': { decideMs: Number.POSITIVE_INFINITY, reply: folds },
  'never answer, with 31 threads': { decideMs: Number.POSITIVE_INFINITY, threads: 31, reply: folds },
  'answer late': { decideMs: 650, threads: 31, from: 'decision', reply: folds },
};
const kinds = Object.entries(hostile);
const tables: [string, readonly Program[]][] = [
  ...kinds.map(([name, program]): [string, Program[]] => [name, Array(5).fill(program)]),
  ['do one of these each', kinds.slice(0, 5).map(([, program]) => program)],
  ['do another of these each', kinds.slice(4).map(([, program]) => program)],
];

/** What a bot's owner sees of its match, without the wall time of decisions. */
function outcome(played: Awaited<ReturnType<typeof play>>) {
  const { details, ...report } = played.reports[0] as SeatReport;
  return { ...report, details: { ...details, times: null }, deltas: played.deltas };
}

it.each(tables)(
  'an honest bot loads, plays and has its time as at a quiet table when five others %s',
  async (_, others) => {
    const quiet = await play([honest, ...Array<Program>(5).fill({ reply: folds })]);
    expect(quiet.reports[0]).toMatchObject({
      verdict: '',
      faults: 0,
      details: { bankUsedMs: 50 * (quiet.seats[0]?.questions ?? 0) },
    });
    await bench.host.stop();
    const played = await play([honest, ...others]);
    expect(outcome(played)).toEqual(outcome(quiet));
    const { startupMs, decisionMs, freeMs, faultsToDisable } = limits;
    for (const [seat, { cpuMs }] of played.reports.entries()) {
      const turns = (played.seats[seat]?.questions ?? 0) + faultsToDisable;
      // What it can use between two samples of a second comes on top.
      expect(cpuMs).toBeLessThan(startupMs + faultsToDisable * decisionMs + turns * freeMs + 1200);
    }
  },
);
