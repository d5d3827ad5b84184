import { createLogger } from '@husky/runtime/process/logger';
import { expect, test, vi } from 'vitest';
import { PurgeFailures } from './purge-failures.ts';

const hour = 60 * 60_000;
const start = Date.UTC(2027, 0, 1);

function startFailures() {
  const log = createLogger('simulation', 'fatal');
  const warn = vi.spyOn(log, 'warn');
  const failures = new PurgeFailures(log);
  const record = (done: string[], failed: string[], now = start, cause = 'a defect') =>
    failures.record({ done, failed: failed.map((item) => ({ item, error: new Error(cause) })) }, now);
  return { failures, record, logged: () => warn.mock.calls.length };
}

test('logs a failure once for each job and cause', () => {
  const { failures, record, logged } = startFailures();
  record([], ['a', 'b']);
  record([], ['a', 'b']);
  expect(logged()).toBe(2);
  record([], ['a'], start, 'another defect');
  expect(logged()).toBe(3);
  record(['a'], []);
  expect(failures.jobIds).toEqual(['b']);
});

test('forgets all jobs after an hour', () => {
  const { failures, record, logged } = startFailures();
  record([], ['purged by another replica']);
  record([], ['b'], start + hour - 1);
  record([], ['b'], start + hour);
  expect(failures.jobIds).toEqual(['b']);
  expect(logged()).toBe(3);
});

test('logs no more than 1,000 jobs within an hour', () => {
  const { failures, record, logged } = startFailures();
  const ids = Array.from({ length: 2000 }, (_, n) => `job ${n}`);
  for (let n = 0; n < 3; n++) record([], ids);
  expect(failures.jobIds).toHaveLength(1000);
  expect(logged()).toBe(1000);
});
