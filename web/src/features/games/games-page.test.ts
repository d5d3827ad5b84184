import { describe, expect, it } from 'vitest';
import { filterQuery, filtersOf } from './games-page.tsx';

describe('the filters of the list of matches', () => {
  it('are read from the address; unknown values filter nothing', () => {
    expect(filtersOf(new URLSearchParams('q=ab&player=ann&batch=7&status=Running&order=oldest'))).toEqual({
      q: 'ab',
      player: 'ann',
      batch: '7',
      status: 'Running',
    });
    expect(filtersOf(new URLSearchParams('status=toString'))).toEqual({ q: '', player: '', batch: '', status: '' });
  });

  it('become the query of the list without empty values', () => {
    expect(filterQuery({ q: ' ann ', player: '', batch: '', status: '' })).toEqual({ q: 'ann' });
    expect(filterQuery({ q: '', player: 'x'.repeat(70), batch: ' 12 ', status: 'Finished' })).toEqual({
      player: 'x'.repeat(64),
      batch: 12,
      status: 'Finished',
    });
  });

  it('find nothing for a batch that is not a number', () => {
    for (const batch of ['seven', '-1', '1.5', '9999999999']) {
      expect(filterQuery({ q: '', player: '', batch, status: '' }).batch).toBe(0);
    }
  });
});
