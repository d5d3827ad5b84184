import { expect, test } from 'vitest';
import { CannotStart } from './preflight.ts';
import { readRoutes } from './routes.ts';

test('returns the configured address for a pair of parts, and the direct address for all others', () => {
  const routeOf = readRoutes('{"simulation postgres":"127.0.0.1:5000"}');
  expect(routeOf('simulation', 'postgres', '127.0.0.1:1')).toBe('127.0.0.1:5000');
  expect(routeOf('auth', 'postgres', '127.0.0.1:1')).toBe('127.0.0.1:1');
  expect(readRoutes('')('simulation', 'postgres', '127.0.0.1:1')).toBe('127.0.0.1:1');
});

test.each(['{', '[]', 'null', '{"simulation postgres":5000}', '{"simulation postgres":"nowhere"}', '{"x":"a:1"}'])(
  'refuses %s',
  (text) => {
    expect(() => readRoutes(text)).toThrow(CannotStart);
  },
);
