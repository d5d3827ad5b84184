import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseMessage } from './seat-link.ts';

const { lines, refusedLines } = JSON.parse(
  readFileSync(new URL('../../fixtures/seat-protocol.json', import.meta.url), 'utf8'),
) as {
  readonly lines: readonly { readonly line: string; readonly message: object }[];
  readonly refusedLines: string[];
};

it.each(lines)('parses $line', ({ line, message }) => {
  expect(parseMessage(line)).toEqual(message);
});

it('parses 1e999 as a raise by infinity', () => {
  expect(parseMessage('[1,4,1e999]')).toMatchObject({ amount: Number.POSITIVE_INFINITY });
});

it.each(refusedLines)('refuses %s', (line) => {
  expect(parseMessage(line)).toBeNull();
});
