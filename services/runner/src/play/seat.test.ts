import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { describe, expect, it } from 'vitest';
import { DecisionTimes, FailedCalls, Seat } from './seat.ts';
import { defaultLimits, setupOf } from './setup.ts';

describe('setup', () => {
  const assignment: Assignment__Output = {
    jobId: 'job',
    attempt: 2,
    leaseToken: '',
    leaseSeconds: 30,
    seats: [],
    numRounds: 100,
    blinds: { bigBlind: 10, multiplier: '1.5', interval: 20 },
    startingStack: 1000,
    rulesVersion: 1,
    seed: Buffer.alloc(32, 7),
    profile: 'classic',
    limits: null,
    stacks: 'reset',
    traceparent: '',
    nowMs: 0,
  };
  const seats = [{ botDir: 'bots/0', packagesDir: null }, { unfetchable: 'too large' }];

  it('takes the inputs of a match from its assignment, named by job and attempt', () => {
    expect(setupOf(assignment, seats)).toEqual({
      name: 'job:2',
      rulesVersion: 1,
      seed: assignment.seed,
      numRounds: 100,
      startingStack: 1000,
      stacks: 'reset',
      blinds: { bigBlind: 10, multiplier: '1.5', interval: 20 },
      profile: 'classic',
      limits: defaultLimits,
      seats,
    });
    expect(setupOf({ ...assignment, profile: 'documented' }, seats).profile).toBe('documented');
  });

  it('takes the default for each limit that is missing or 0', () => {
    const none = { decisionMs: 0, bankMs: 0, freeMs: 0, faultsToDisable: 0, startupMs: 0, memoryMib: 0, logBytes: 0 };
    const given = { decisionMs: 1, bankMs: 2, freeMs: 3, faultsToDisable: 4, startupMs: 5, memoryMib: 6, logBytes: 7 };
    expect(setupOf({ ...assignment, limits: none }, seats).limits).toEqual(defaultLimits);
    expect(setupOf({ ...assignment, limits: given }, seats).limits).toEqual(given);
  });

  it('refuses an assignment without blinds or with an unknown profile', () => {
    expect(() => setupOf({ ...assignment, blinds: null }, seats)).toThrow('the assignment has no blinds');
    expect(() => setupOf({ ...assignment, profile: 'modern' }, seats)).toThrow('there is no profile modern');
  });
});

describe('seat', () => {
  it('reports a bot without faults with an empty verdict and its own output as the log', () => {
    const seat = new Seat(1, 1234567890, 3000);
    seat.cpuMs = 12.6;
    seat.peakKib = 900;
    expect(seat.report()).toMatchObject({
      seat: 1,
      log: '',
      verdict: '',
      cpuMs: 13,
      peakKib: 900,
      faults: 0,
      disabled: '',
    });
    expect(seat.report().details).toMatchObject({
      outKind: '',
      outText: '',
      failedCalls: [],
      bankMs: 3000,
      bankUsedMs: 0,
    });
    const closed = {
      seat: 1,
      cpu_ms: 20.4,
      wait_ms: 0,
      main_wait_ms: 0,
      rss_kib: 800,
      peak_kib: 1000,
      alive: true,
      log: 'hello\n',
    };
    expect(seat.report(closed)).toMatchObject({ log: 'hello\n', cpuMs: 20, peakKib: 1000 });
  });

  it('sums up in its verdict why the bot is out, its faults, an empty bank and much memory', () => {
    const seat = new Seat(0, 1234567890, 3000);
    seat.countFault('timeout', 1, undefined);
    seat.countFault('illegal', 2, 'RAISE 3: less');
    seat.countFault('timeout', 3, undefined);
    expect(seat.report().verdict).toBe('faults: 2 timeout, 1 illegal');
    expect(seat.report().details.notes).toEqual([
      'hand 1: did not answer in time',
      'hand 2: gave an illegal answer: RAISE 3: less',
      'hand 3: did not answer in time',
    ]);
    seat.drawFromBank(1000.4);
    expect(seat.report()).toMatchObject({ verdict: 'faults: 2 timeout, 1 illegal', details: { bankUsedMs: 1000 } });
    seat.drawFromBank(9000);
    seat.warnedKib = 101 << 10;
    seat.peakKib = 130 << 10;
    seat.leave('crash', 'exit code 1');
    expect(seat.report()).toMatchObject({
      verdict:
        'crash: the bot stopped running: exit code 1; faults: 2 timeout, 1 illegal; its bank of time is used up; ' +
        'memory above 100 MiB (130 MiB at most)',
      disabled: 'stopped running: exit code 1',
      faults: 3,
      details: { outKind: 'crash', outText: 'exit code 1', bankUsedMs: 3000 },
    });
  });

  it('gives the reason of a bot that is out without a detail', () => {
    const seat = new Seat(0, 1234567890, 3000);
    seat.leave('crash', '');
    expect(seat.report()).toMatchObject({ verdict: 'crash: the bot stopped running', disabled: 'stopped running' });
  });

  it('keeps 50 notes at most apart from the output, and counts the others and the bytes left out', () => {
    const seat = new Seat(0, 1234567890, 3000);
    seat.note(0, 'before the first hand');
    for (let hand = 1; hand < 50; hand++) seat.note(hand, 'slow');
    const lines = ['before the first hand'];
    for (let hand = 1; hand < 50; hand++) lines.push(`hand ${hand}: slow`);
    expect(seat.report().details.notes).toEqual(lines);
    seat.note(50, 'slow');
    seat.note(51, 'slow');
    const figures = { seat: 0, cpu_ms: 0, wait_ms: 0, main_wait_ms: 0, rss_kib: 0, peak_kib: 0, alive: false };
    const report = seat.report({ ...figures, log: 'hand 1: slow\n', left_out: 7 });
    expect(report.log).toBe('hand 1: slow\n');
    expect(report.details.notes).toEqual([
      ...lines,
      '2 more notes are left out',
      '7 bytes in the middle of its output are left out',
    ]);
  });

  it('drops its pending events when the bot leaves', () => {
    const seat = new Seat(0, 1234567890, 3000);
    seat.pending = '["e"],';
    seat.leave('memory', '');
    expect([seat.pending, seat.out]).toEqual(['', 'memory']);
  });

  it('counts a time in the first bucket whose bound it does not exceed, longer ones in the last', () => {
    const bucketOf = (ms: number) => {
      const times = new DecisionTimes();
      times.add(ms);
      return times.describe().counts?.indexOf(1);
    };
    expect([0, 0.2, 0.201, 0.5, 10_000, 10_001].map(bucketOf)).toEqual([0, 0, 1, 1, 14, 15]);
  });

  it('describes the times of decisions by percentiles and by bucket', () => {
    const times = new DecisionTimes();
    for (let ms = 1; ms <= 100; ms++) times.add(ms);
    const { count, p50Ms, p95Ms, maxMs, counts } = times.describe();
    expect(count).toBe(100);
    expect([p50Ms, p95Ms, maxMs].map((ms) => Math.round(Number(ms)))).toEqual([50, 95, 100]);
    expect(counts).toEqual(
      DECISION_BOUNDS_MS.map((bound, index) =>
        bound > 100 ? 0 : Math.floor(bound) - Math.floor(DECISION_BOUNDS_MS[index - 1] ?? 0),
      ).concat(0),
    );
  });

  it('describes a bot without decisions, and one whose decisions take no time', () => {
    const times = new DecisionTimes();
    expect(times.describe()).toMatchObject({ count: 0, p50Ms: 0, p95Ms: 0, maxMs: 0 });
    times.add(0);
    expect(times.describe()).toMatchObject({ count: 1, p50Ms: 0.001, maxMs: 0.001 });
  });

  it('counts failed calls by callback and text, with the hand of the first one', () => {
    const calls = new FailedCalls();
    calls.add('on_start', 'KeyError: 3', 2);
    calls.add('on_end_game', 'KeyError: 3', 2);
    calls.add('on_start', 'KeyError: 3', 5);
    calls.add('on_start', 'KeyError: 4', 6);
    expect(calls.list).toEqual([
      { method: 'on_start', text: 'KeyError: 3', count: 2, firstHand: 2 },
      { method: 'on_end_game', text: 'KeyError: 3', count: 1, firstHand: 2 },
      { method: 'on_start', text: 'KeyError: 4', count: 1, firstHand: 6 },
    ]);
  });

  it('keeps 20 kinds of failed calls and counts further ones with the newest of them', () => {
    const calls = new FailedCalls();
    for (let kind = 1; kind <= 22; kind++) calls.add('on_start', `ValueError: ${kind}`, kind);
    calls.add('on_start', 'ValueError: 1', 30);
    expect(calls.list).toHaveLength(20);
    expect(calls.list.map(({ count }) => count)).toEqual([2, ...Array(18).fill(1), 3]);
    expect(calls.list.at(-1)).toMatchObject({ text: 'ValueError: 20', firstHand: 20 });
  });
});
