import { expect, test } from 'vitest';
import { csvLine } from '../src/csv.ts';

const formulas = ['=', '+', '-', '@', '\t', '\r'].map((start) => `${start}1`);

test('a line for programs quotes texts and keeps their form', () => {
  expect(csvLine([null, undefined, 'a "quoted", text', { admin: true }, -2.5])).toBe(
    ',,"a ""quoted"", text","{""admin"":true}",-2.5\r\n',
  );
  expect(csvLine(['-1-1', ...formulas])).toBe(`${['-1-1', ...formulas].map((text) => `"${text}"`).join(',')}\r\n`);
});

test('a line for a spreadsheet has an apostrophe before what would be evaluated as a formula', () => {
  expect(csvLine([...formulas, -5, 'ann'], { spreadsheet: true })).toBe(
    `${formulas.map((text) => `"'${text}"`).join(',')},-5,"ann"\r\n`,
  );
});
