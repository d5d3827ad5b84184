import { describe, expect, it } from 'vitest';
import { combinationsText, parseMetadata } from './batch-rules.ts';

describe('the words under the batch roster', () => {
  it('name the number of combinations', () => {
    expect(combinationsText(5)).toBe('Will generate 0 combinations');
    expect(combinationsText(13)).toBe('Will generate 1,716 combinations');
  });
});

describe('metadata as typed', () => {
  it('is valid when empty', () => expect(parseMetadata(' \n')).toEqual({ value: null, error: '' }));
  it('is valid as a JSON object', () => {
    expect(parseMetadata('{"batch_number": 7}')).toEqual({ value: { batch_number: 7 }, error: '' });
  });
  it('shows the parse error otherwise', () => {
    expect(parseMetadata('{bad').error).not.toBe('');
    for (const text of ['[]', '7', 'null', '"x"'])
      expect(parseMetadata(text).error).toBe('The metadata must be a JSON object');
  });
});
