import { expect, test } from 'vitest';
import { csvCell } from '../src/http/csv.ts';

test('escapes CSV cells that a spreadsheet would evaluate as formulas', () => {
  expect(csvCell(null)).toBe('');
  expect(csvCell('a "quoted", text')).toBe('"a ""quoted"", text"');
  expect(csvCell({ admin: true })).toBe('"{""admin"":true}"');
  for (const start of ['=', '+', '-', '@', '\t', '\r']) expect(csvCell(`${start}1`)).toBe(`"'${start}1"`);
});
