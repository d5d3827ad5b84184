import { expect, test } from 'vitest';
import { csvCell } from '../src/routes/admin/audit-routes.ts';

test('quotes cells of the exported audit log so that none is a formula', () => {
  expect(csvCell(null)).toBe('');
  expect(csvCell('a "quoted", text')).toBe('"a ""quoted"", text"');
  expect(csvCell({ admin: true })).toBe('"{""admin"":true}"');
  for (const start of ['=', '+', '-', '@', '\t', '\r']) expect(csvCell(`${start}1`)).toBe(`"'${start}1"`);
});
