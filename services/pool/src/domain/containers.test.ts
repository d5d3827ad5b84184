import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { expect, test } from 'vitest';
import type { FleetRunner } from '../fleet/fleet.ts';
import { chooseToStop, viewOf } from './containers.ts';
import { checkTarget } from './target.ts';

const startedAtMs = Date.UTC(2026, 0, 1);
const runner = (number: number, phase: FleetRunner['phase'] = 'running'): FleetRunner => ({
  ...{ name: `runner-${number}`, port: 9000 + number, phase, startedAtMs, problem: '' },
});
const report = (number: number, state: Runner__Output['state'], lastSeenMs = startedAtMs + 5000): Runner__Output => ({
  ...{ name: `runner-${number}`, state, jobId: state === 'IDLE' ? '' : `job-${number}`, cordoned: false, totals: null },
  lastSeen: new Date(lastSeenMs).toISOString(),
});

test('a runner does what simulation says of it', () => {
  const reports = [report(1, 'IDLE'), report(2, 'ACQUIRED'), report(3, 'ACTIVE')];
  expect([1, 2, 3].map((number) => viewOf(runner(number), reports).state)).toEqual(['idle', 'acquired', 'active']);
  expect(viewOf(runner(3), reports).jobId).toBe('job-3');
});

test('a runner that simulation has not seen since its start is starting', () => {
  expect(viewOf(runner(1), []).state).toBe('starting');
  expect(viewOf(runner(1), [report(1, 'ACTIVE', startedAtMs - 60_000)])).toMatchObject({
    state: 'starting',
    jobId: '',
  });
});

test('a runner that was told to go is stopping, with the match that it still has', () => {
  expect(viewOf(runner(2, 'stopping'), [report(2, 'ACTIVE')])).toMatchObject({ state: 'stopping', jobId: 'job-2' });
});

test('runners without a match go first, the youngest of them before the others', () => {
  const reports = [
    report(1, 'IDLE'),
    report(2, 'ACTIVE'),
    report(3, 'ACQUIRED'),
    report(4, 'IDLE'),
    report(5, 'ACTIVE'),
  ];
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

test('the fleet has at least 3 runners and at most the setting', () => {
  expect(() => checkTarget(2, 16)).toThrow('Target size must be at least 3');
  expect(() => checkTarget(-3, 16)).toThrow('Target size must be at least 3');
  expect(() => checkTarget(17, 16)).toThrow('Target size must be at most 16');
  expect(() => checkTarget(3, 3)).not.toThrow();
});
