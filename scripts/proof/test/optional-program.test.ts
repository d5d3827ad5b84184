import { expect, test } from 'vitest';
import { findOptional, MissingProgram } from './optional-program.ts';

const missing = (): string => {
  throw new MissingProgram('promtool is missing: install it first');
};

test('without a program the tests that need it are skipped, but not where it is required', () => {
  expect(findOptional(() => '/usr/bin/promtool', 'REQUIRE_PROMTOOL', {})).toBe('/usr/bin/promtool');
  expect(findOptional(missing, 'REQUIRE_PROMTOOL', {})).toBeUndefined();
  expect(() => findOptional(missing, 'REQUIRE_PROMTOOL', { REQUIRE_PROMTOOL: '1' })).toThrow('install it first');
});

test('another error is never taken for a missing program', () => {
  const broken = () => {
    throw new Error('the disk is full');
  };
  expect(() => findOptional(broken, 'REQUIRE_PROMTOOL', {})).toThrow('the disk is full');
});
