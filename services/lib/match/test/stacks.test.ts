import { expect, it } from 'vitest';
import { parseStacks } from '../src/stacks.ts';

it('reads the two modes, and matches of releases without the field as carried', () => {
  expect(['carry', 'reset', ''].map(parseStacks)).toEqual(['carry', 'reset', 'carry']);
});

it('refuses any other text and quotes at most 40 characters of it', () => {
  expect(() => parseStacks('Reset')).toThrow(new RangeError("stacks are 'carry' or 'reset', not 'Reset'"));
  expect(() => parseStacks('x'.repeat(50))).toThrow(`not '${'x'.repeat(40)}'`);
});
