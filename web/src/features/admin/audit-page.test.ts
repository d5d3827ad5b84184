import { describe, expect, it } from 'vitest';
import { wordsOf } from './audit-page.tsx';

const names = { 'id-1': 'ada', 'id-2': 'bob' };

describe('values in the audit log', () => {
  it('have user names instead of ids, single and in lists', () => {
    expect(wordsOf('id-1', names)).toBe('ada');
    expect(wordsOf(['id-2', 'id-1', 'gone'], names)).toBe('bob, ada, gone');
  });
  it('show empty and nested values, and other values unchanged', () => {
    expect([wordsOf('', names), wordsOf([], names), wordsOf(null, names)]).toEqual(['""', 'none', 'null']);
    expect([wordsOf(false, names), wordsOf(12.5, names)]).toEqual(['false', '12.5']);
    expect(wordsOf({ bigBlind: 10 }, names)).toBe('{"bigBlind":10}');
  });
});
