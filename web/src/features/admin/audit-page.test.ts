import { describe, expect, it } from 'vitest';
import { valueText } from './audit-page.tsx';

const names = { 'id-1': 'ada', 'id-2': 'bob' };

describe('values in the audit log', () => {
  it('have user names instead of ids, single and in lists', () => {
    expect(valueText('id-1', names)).toBe('ada');
    expect(valueText(['id-2', 'id-1', 'id-9'], names)).toBe('bob, ada, id-9');
  });
  it('show empty and nested values, and other values unchanged', () => {
    expect([valueText('', names), valueText([], names), valueText(null, names)]).toEqual(['""', 'none', 'null']);
    expect([valueText(false, names), valueText(12.5, names)]).toEqual(['false', '12.5']);
    expect(valueText({ bigBlind: 10 }, names)).toBe('{"bigBlind":10}');
  });
});
