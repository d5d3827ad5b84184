import { expect, it } from 'vitest';
import type { Autoscaling, Container } from '../../lib/types.ts';
import { autoscalingChange, countStates, findContainers, readBounds, readTargetSize } from './pool-rules.ts';

it('accepts only whole sizes of at least 3', () => {
  expect(['3', '12'].map(readTargetSize)).toEqual([3, 12]);
  expect(['2', '-1', '3.5', '', ' ', 'x', 'Infinity'].map(readTargetSize)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

const bounds = { minimum: '3', maximum: '8', drainSeconds: '300' };

it('accepts valid bounds', () => {
  expect(readBounds(bounds, 16)).toEqual({ minimum: 3, maximum: 8, drainSeconds: 300 });
});

it.each([
  [{ minimum: '2' }, 'The minimum must be a whole number of at least 3.'],
  [{ minimum: '3.5' }, 'The minimum must be a whole number of at least 3.'],
  [{ maximum: '17' }, 'The maximum must be a whole number from 3 to 16.'],
  [{ maximum: '' }, 'The maximum must be a whole number from 3 to 16.'],
  [{ minimum: '9' }, 'The maximum must not be below the minimum.'],
  [{ drainSeconds: '' }, 'The backlog must be played within 10 to 86,400 seconds.'],
  [{ drainSeconds: '1e6' }, 'The backlog must be played within 10 to 86,400 seconds.'],
])('returns the error for %o', (part, message) => {
  expect(readBounds({ ...bounds, ...part }, 16)).toBe(message);
});

it('returns only the changed fields', () => {
  const saved = { minimum: 3, maximum: 8, drain_seconds: 300 } as Autoscaling;
  expect(autoscalingChange({ minimum: 3, maximum: 9, drainSeconds: 60 }, saved)).toEqual({
    maximum: 9,
    drain_seconds: 60,
  });
  expect(autoscalingChange({ minimum: 3, maximum: 8, drainSeconds: 300 }, saved)).toEqual({});
});

const thousand = Array.from(
  { length: 1000 },
  (_, index): Container => ({
    container_name: `runner-${index}`,
    port: 20_000 + index,
    state: index % 10 === 0 ? 'active' : 'idle',
    job_id: null,
    sandbox: null,
  }),
);

it('finds containers by words of name, port and state', () => {
  const names = (text: string) => findContainers(thousand, text).map(({ container_name: name }) => name);
  expect(names('runner-777')).toEqual(['runner-777']);
  expect(names('20123')).toEqual(['runner-123']);
  expect(names('ACTIVE  runner-99')).toEqual(['runner-990']);
  expect(names('').length).toBe(1000);
});

it('counts containers by state', () => {
  expect(countStates(thousand)).toBe('900 idle, 100 active');
  expect(countStates([])).toBe('');
});
