import { expect, test } from 'vitest';
import { csvText } from './csv.ts';

test('cells with commas and quotes are quoted, formulas get an apostrophe, numbers stay numbers, null is empty', () => {
  expect(csvText([['a,b', 'say "hi"', '=1+1', -2.5, null]])).toBe('"a,b","say ""hi""",\'=1+1,-2.5,\n');
});
