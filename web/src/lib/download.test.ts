import { expect, test } from 'vitest';
import { csvText } from './download.ts';

test('cells with commas and quotes are quoted, formulas get an apostrophe, numbers stay numbers, null is empty', () => {
  expect(csvText([['a,b', 'say "hi"', '=1+1', -2.5, null]])).toBe('"a,b","say ""hi""",\'=1+1,-2.5,\n');
  expect(csvText([['-1+1', '-x|y', '@a', '\t']])).toBe("'-1+1,'-x|y,'@a,'\t\n");
});

test('usernames keep their form', () => {
  expect(csvText([['-1-1', '--', '-A_b', 'ann']])).toBe('-1-1,--,-A_b,ann\n');
});
