import { describe, expect, it } from 'vitest';
import { deltaClass, formatBytes, formatDelta, parseTime } from './format.ts';

describe('figures', () => {
  it('have a sign and a colour', () => {
    expect([formatDelta(1234.5), formatDelta(-50), formatDelta(0)]).toEqual(['+1,234.5', '-50', '0']);
    expect([deltaClass(1), deltaClass(-1), deltaClass(0)]).toEqual(['positive', 'negative', 'neutral']);
  });
  it('have binary units for sizes', () => {
    expect([formatBytes(512), formatBytes(1536), formatBytes(1024 * 1024)]).toEqual(['512 B', '1.5 KiB', '1 MiB']);
  });
});

describe('times', () => {
  it('without a zone are in UTC', () => {
    expect(parseTime('2025-07-12T00:00:00')).toBe(Date.UTC(2025, 6, 12));
    expect(parseTime('2025-07-12T00:00:00-07:00')).toBe(Date.UTC(2025, 6, 12, 7));
  });
  it('are null if they are invalid', () => {
    expect([parseTime(null), parseTime(''), parseTime('soon')]).toEqual([null, null, null]);
  });
});
