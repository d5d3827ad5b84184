import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { expect, test } from 'vitest';
import { chooseToStop, type FleetRunner, toReports, viewOf } from './containers.ts';
import { checkTarget } from './sizes.ts';

const startedAtMs = Date.UTC(2026, 0, 1);
const runner = (number: number, phase: FleetRunner['phase'] = 'running'): FleetRunner => ({
  name: `runner-${number}`,
  port: 9000 + number,
  phase,
  startedAtMs,
  problem: '',
});
const report = (number: number, state: Runner__Output['state'], lastSeenMs = startedAtMs + 5000): Runner__Output => ({
  name: `runner-${number}`,
  state,
  jobId: state === 'IDLE' ? '' : `job-${number}`,
  cordoned: false,
  totals: null,
  lastSeen: new Date(lastSeenMs).toISOString(),
});

test("takes a runner's state from simulation", () => {
  const reports = toReports([report(1, 'IDLE'), report(2, 'ACQUIRED'), report(3, 'ACTIVE')]);
  expect([1, 2, 3].map((number) => viewOf(runner(number), reports).state)).toEqual(['idle', 'acquired', 'active']);
  expect(viewOf(runner(3), reports).jobId).toBe('job-3');
});

test('lists a runner as starting until simulation has seen it since its start', () => {
  expect(viewOf(runner(1), toReports([])).state).toBe('starting');
  expect(viewOf(runner(1), toReports([report(1, 'ACTIVE', startedAtMs - 60_000)]))).toMatchObject({
    state: 'starting',
    jobId: '',
  });
});

test('lists a stopped runner as stopping, with its match', () => {
  const reports = toReports([report(2, 'ACTIVE')]);
  expect(viewOf(runner(2, 'stopping'), reports)).toMatchObject({ state: 'stopping', jobId: 'job-2' });
});

test('chooses runners without a match first, then the highest numbers', () => {
  const reports = toReports([
    report(1, 'IDLE'),
    report(2, 'ACTIVE'),
    report(3, 'ACQUIRED'),
    report(4, 'IDLE'),
    report(5, 'ACTIVE'),
  ]);
  const views = [1, 2, 3, 4, 5, 6].map((number) =>
    viewOf(runner(number, number === 6 ? 'stopping' : 'running'), reports),
  );
  expect(chooseToStop(views, 5).map((view) => view.runner.name)).toEqual([
    'runner-4',
    'runner-1',
    'runner-3',
    'runner-5',
    'runner-2',
  ]);
  expect(chooseToStop(views, 2).map((view) => view.runner.name)).toEqual(['runner-4', 'runner-1']);
  expect(chooseToStop(views, -1)).toEqual([]);
});

test('bounds the size to 3 and the maximum', () => {
  expect(() => checkTarget(2, 16)).toThrow('Target size must be at least 3');
  expect(() => checkTarget(-3, 16)).toThrow('Target size must be at least 3');
  expect(() => checkTarget(17, 16)).toThrow('Target size must be at most 16');
  expect(() => checkTarget(3, 3)).not.toThrow();
});
