import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseMessage, parseReply } from './seat-link.ts';

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

const plain = (line: string) => {
  const bytes = Buffer.from(`${line}\n`, 'latin1');
  return parseReply(bytes, bytes.length);
};
const edges = [
  ...[
    '[01,3,0]',
    '[1,3,00]',
    '[1,3]',
    '[1,3,0,1]',
    '[1,,0]',
    '[,3,0]',
    '[1,3,0]]',
    '[1,3,0] ',
    '[1,3,1.5]',
    '[1,-1,0]',
    '[1,0,5]',
  ],
  ...[
    '[1,3,9007199254740993]',
    '[1,3,1e5]',
    '[1,3,]',
    '[]',
    '[[[[[[[[',
    '[1,3,0]\n[2,3,0]',
    '["1",3,0]',
    '[1,3,0',
    '[1:3,0]',
  ],
];

it.each([...lines.map(({ line }) => line), ...refusedLines, ...edges])(
  'reads %s from its bytes as from its text',
  (line) => {
    const reply = plain(line);
    if (reply !== null) expect(reply).toEqual(parseMessage(line));
  },
);

it('reads a plain reply from its bytes', () => {
  expect(plain('[17,4,250]')).toEqual({ type: 'reply', seq: 17, kind: 4, amount: 250 });
  expect(plain('[1,3,0]')).toEqual({ type: 'reply', seq: 1, kind: 3, amount: 0 });
});
