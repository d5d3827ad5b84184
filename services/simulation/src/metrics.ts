import type { SeatFaults } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { readInTime } from '@husky/runtime/telemetry/read-in-time';
import { type BatchObservableResult, type Counter, type Histogram, metrics } from '@opentelemetry/api';

interface Instruments {
  readonly attempts: Counter;
  readonly durations: Histogram;
  readonly testRuns: Histogram;
  readonly waits: Histogram;
  readonly faults: Counter;
  readonly verdicts: Counter;
}

let instruments: Instruments | undefined;

// Created on first use: instruments created before the start of telemetry record nothing.
function getInstruments() {
  const meter = metrics.getMeter('husky.simulation');
  instruments ??= {
    attempts: meter.createCounter('husky.attempts.ended', { description: 'Attempts at matches, by class and outcome' }),
    durations: meter.createHistogram('husky.match.duration', {
      description: 'From the claim of a finished attempt to its acceptance',
      unit: 'ms',
      advice: {
        explicitBucketBoundaries: [500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 180_000, 600_000, 1_800_000],
      },
    }),
    testRuns: meter.createHistogram('husky.test_run.duration', {
      description: 'From the accepted upload of a test run to its result; given_up: it was lost too often and has none',
      unit: 'ms',
      advice: { explicitBucketBoundaries: [1000, 2000, 5000, 10_000, 20_000, 60_000, 180_000, 600_000] },
    }),
    waits: meter.createHistogram('husky.queue.wait', {
      description: 'From the creation of a job to its first claim, by class',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 14_400] },
    }),
    faults: meter.createCounter('husky.bot.faults', { description: 'Failed decisions of bots, by class and fault' }),
    verdicts: meter.createCounter('husky.bot.verdicts', {
      description: 'Bots in accepted matches, by class and the fault that ended their play; none: they played on',
    }),
  };
  return instruments;
}

/** Measures the wait of a job until its first claim. */
export function measureWait(kind: string, waitMs: number): void {
  getInstruments().waits.record(Math.max(0, waitMs) / 1000, { class: kind.toLowerCase() });
}

/** Counts faults and verdicts of an accepted match. */
export function countFaults(kind: string, seats: readonly SeatFaults[]): void {
  const { faults, verdicts } = getInstruments();
  for (const { outKind, counts = [] } of seats) {
    verdicts.add(1, { class: kind.toLowerCase(), verdict: outKind || 'none' });
    for (const { kind: fault, count = 0 } of counts) {
      if (fault && count > 0) faults.add(count, { class: kind.toLowerCase(), fault });
    }
  }
}

/** Jobs of one class that can be claimed. */
export interface QueueState {
  readonly kind: string;
  readonly jobs: number;
  readonly hands: number;
  /** Age in seconds of the oldest one, or of an older one whose packages are being prepared; 0: none. */
  readonly age: number;
}

/** Exports the queue by class until the returned function is called. Every replica exports the same values. */
export function measureQueue(read: () => Promise<readonly QueueState[]>): () => void {
  const meter = metrics.getMeter('husky.simulation');
  const depth = meter.createObservableGauge('husky.queue.depth', { description: 'Jobs that can be claimed, by class' });
  const hands = meter.createObservableGauge('husky.queue.hands', { description: 'Hands of these jobs, by class' });
  const age = meter.createObservableGauge('husky.queue.age', {
    description: 'Age of the oldest job that is being prepared or can be claimed, by class; 0: none',
    unit: 's',
  });
  const observe = async (result: BatchObservableResult) => {
    for (const state of (await readInTime(read)) ?? []) {
      const attributes = { class: state.kind.toLowerCase() };
      result.observe(depth, state.jobs, attributes);
      result.observe(hands, state.hands, attributes);
      result.observe(age, state.age, attributes);
    }
  };
  meter.addBatchObservableCallback(observe, [depth, hands, age]);
  return () => meter.removeBatchObservableCallback(observe, [depth, hands, age]);
}

/** Exports whether the chain of commitments is broken, and how old its last check is, until the returned function is called. */
export function measureChain(
  read: () => Promise<{ readonly broken: boolean; readonly ageSeconds: number } | undefined>,
): () => void {
  const meter = metrics.getMeter('husky.simulation');
  const broken = meter.createObservableGauge('husky.commitments.broken', {
    description: '1: the chain of commitments is broken and no commitment is made',
  });
  const age = meter.createObservableGauge('husky.commitments.check.age', {
    description: 'Time since the last check of the chain of commitments',
    unit: 's',
  });
  const observe = async (result: BatchObservableResult) => {
    const state = await readInTime(read);
    if (!state) return;
    result.observe(broken, state.broken ? 1 : 0);
    result.observe(age, state.ageSeconds);
  };
  meter.addBatchObservableCallback(observe, [broken, age]);
  return () => meter.removeBatchObservableCallback(observe, [broken, age]);
}

/** Exports the drawn matches by the result of their repetition until the returned function is called. */
export function measureRepetitions(
  read: () => Promise<Readonly<Record<'pending' | 'equal' | 'different' | 'byLimit' | 'notCompared', number>>>,
): () => void {
  const meter = metrics.getMeter('husky.simulation');
  const gauge = meter.createObservableGauge('husky.repetitions', {
    description: 'Finished matches that were drawn to be played again, by result',
  });
  const observe = async (result: BatchObservableResult) => {
    const counts = await readInTime(read);
    if (!counts) return;
    const { pending, equal, different, byLimit, notCompared } = counts;
    const results = { pending, equal, different: different - byLimit, by_limit: byLimit, not_compared: notCompared };
    for (const [name, matches] of Object.entries(results)) result.observe(gauge, matches, { result: name });
  };
  meter.addBatchObservableCallback(observe, [gauge]);
  return () => meter.removeBatchObservableCallback(observe, [gauge]);
}

/** What the ladder has done, for its gauges. */
export interface LadderState {
  /** Sets that were counted within an hour. */
  readonly sets: number;
  /** Age in seconds of the oldest version that takes part and has had no set yet; 0: none. */
  readonly newcomerAge: number;
  readonly paused: number;
}

/** Exports the state of the ladder until the returned function is called. Every replica exports the same values. */
export function measureLadder(read: () => Promise<LadderState>): () => void {
  const meter = metrics.getMeter('husky.simulation');
  const sets = meter.createObservableGauge('husky.ladder.sets', {
    description: 'Sets of the ladder that were counted within an hour',
  });
  const age = meter.createObservableGauge('husky.ladder.newcomer.age', {
    description: 'Age of the oldest version on the ladder that has had no set yet; 0: none, or the ladder is off',
    unit: 's',
  });
  const paused = meter.createObservableGauge('husky.ladder.paused', {
    description: 'Versions that are paused on the ladder',
  });
  const observe = async (result: BatchObservableResult) => {
    const state = await readInTime(read);
    if (!state) return;
    result.observe(sets, state.sets);
    result.observe(age, state.newcomerAge);
    result.observe(paused, state.paused);
  };
  meter.addBatchObservableCallback(observe, [sets, age, paused]);
  return () => meter.removeBatchObservableCallback(observe, [sets, age, paused]);
}

/** Exports tournaments by state, and how late their worker is, until the returned function is called. Every replica exports the same values. */
export function measureTournaments(
  read: () => Promise<{ readonly counts: Readonly<Record<string, number>>; readonly lateSeconds: number }>,
): () => void {
  const meter = metrics.getMeter('husky.simulation');
  const count = meter.createObservableGauge('husky.tournaments', { description: 'Tournaments by state' });
  const late = meter.createObservableGauge('husky.tournament.late', {
    description: 'How long the step of a tournament that has been due longest has been due; 0: none is',
    unit: 's',
  });
  const observe = async (result: BatchObservableResult) => {
    const state = await readInTime(read);
    if (!state) return;
    for (const [name, number] of Object.entries(state.counts)) result.observe(count, number, { state: name });
    result.observe(late, state.lateSeconds);
  };
  meter.addBatchObservableCallback(observe, [count, late]);
  return () => meter.removeBatchObservableCallback(observe, [count, late]);
}

/** Counts the end of an attempt, even if the transaction is rolled back later, which is rare. */
export function countAttempt(kind: string, outcome: string, durationMs: number): void {
  const attributes = { class: kind.toLowerCase(), outcome: outcome.toLowerCase() };
  getInstruments().attempts.add(1, attributes);
  if (outcome === 'FINISHED') getInstruments().durations.record(durationMs, { class: attributes.class });
}

/** Records how long the owner of a test run waited for its end, also if the transaction is rolled back later, which is rare. */
export function recordTestRun(isGivenUp: boolean, durationMs: number): void {
  getInstruments().testRuns.record(durationMs, { outcome: isGivenUp ? 'given_up' : 'result' });
}
