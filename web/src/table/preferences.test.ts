import { describe, expect, it } from 'vitest';
import { formatBigBlinds } from './chips.ts';
import { parsePreferences } from './preferences.ts';

describe('stored preferences', () => {
  const defaults = { fourColourDeck: false, bigBlinds: false, sound: false, shortcuts: true, speed: 1 };

  it.each([null, '', '{', 'null', '[]', '"text"', '{"speed": 3, "sound": "yes"}'])('%j gives the defaults', (text) => {
    expect(parsePreferences(text)).toEqual(defaults);
  });

  it('keep valid values beside invalid ones', () => {
    expect(parsePreferences('{"fourColourDeck": true, "speed": 4, "bigBlinds": 1}')).toEqual({
      ...defaults,
      fourColourDeck: true,
      speed: 4,
    });
  });
});

it.each([
  [15, 10, '1.5 BB'],
  [10_000, 10, '1,000 BB'],
  [1, 3, '0.33 BB'],
  [-25, 10, '-2.5 BB'],
])('formats %i chips at a big blind of %i as %s', (amount, big, text) => {
  expect(formatBigBlinds(amount, big)).toBe(text);
});
