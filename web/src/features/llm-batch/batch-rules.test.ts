import { describe, expect, it } from 'vitest';
import { combinations, combinationsText, parseMetadata, timeLeftText } from './batch-rules.ts';

describe('the text below the batch roster', () => {
  it('has the number of combinations', () => {
    expect(combinationsText(5)).toBe('Will generate 0 combinations');
    expect(combinationsText(13)).toBe('Will generate 1,716 combinations');
  });
});

describe('the input of metadata', () => {
  it('is valid when empty', () => expect(parseMetadata(' \n')).toEqual({ value: null, error: '' }));
  it('is valid as a JSON object', () => {
    expect(parseMetadata('{"batch_number": 7}')).toEqual({ value: { batch_number: 7 }, error: '' });
  });
  it('shows the parse error otherwise', () => {
    expect(parseMetadata('{bad').error).toMatch(/^Invalid JSON format: ./);
    for (const text of ['[]', '7', 'null', '"x"'])
      expect(parseMetadata(text).error).toBe('The metadata must be a JSON object');
  });
});

describe('the time left of a batch', () => {
  it('has a suitable unit', () => {
    expect([40, 60, 119, 3_599, 3_600, 7_500].map(timeLeftText)).toEqual([
      '40 s left',
      '1 min left',
      '2 min left',
      '1 h 0 min left',
      '1 h 0 min left',
      '2 h 5 min left',
    ]);
  });
  it('is empty while unknown', () => expect([null, 0].map(timeLeftText)).toEqual(['', '']));
});

describe('the number of combinations', () => {
  it('is correct for the sizes of batches', () => {
    expect([5, 6, 7, 8, 13, 20].map((n) => combinations(n, 6))).toEqual([0, 1, 7, 28, 1_716, 38_760]);
  });
  it('is 0 for invalid arguments', () => {
    expect([combinations(-1, 6), combinations(3, 6), combinations(6.5, 6), combinations(6, -1)]).toEqual([0, 0, 0, 0]);
  });
  it('is exact for 200 users', () => expect(combinations(200, 6)).toBe(82_408_626_300));
});
