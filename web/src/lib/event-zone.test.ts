import { expect, it } from 'vitest';
import { instantOf, wallTime } from './event-zone.ts';

it.each([
  ['2025-07-21T23:59:59', '2025-07-22T06:59:59.000Z'],
  ['2025-01-01T00:00', '2025-01-01T08:00:00.000Z'],
  // The first hour after the clocks change, and the hour that they repeat, which is the earlier one.
  ['2025-03-09T03:00', '2025-03-09T10:00:00.000Z'],
  ['2025-11-02T01:30', '2025-11-02T08:30:00.000Z'],
  ['', ''],
  ['0202-07-01T10:00', ''],
])('takes %j in Pacific time for %j', (wall, instant) => {
  expect(instantOf(wall)).toBe(instant);
  expect(wallTime(instant)).toBe(instant && wall);
});

it('takes a time that the clocks skip for one an hour earlier', () => {
  expect(wallTime(instantOf('2025-03-09T02:30'))).toBe('2025-03-09T01:30');
});
