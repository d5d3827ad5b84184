import { expect, test } from 'vitest';
import { lineStyle } from './line-style.ts';

test('the lines of 20 players differ, and lines of one colour differ in dash and marker', () => {
  const styles = Array.from({ length: 20 }, (_, index) => lineStyle(index));
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(20);
  for (const [index, style] of styles.entries()) {
    const sameColor = styles.filter((other, at) => at !== index && other.token === style.token);
    expect(sameColor.map((other) => other.markerPath)).not.toContain(style.markerPath);
    expect(sameColor.map((other) => String(other.dash))).not.toContain(String(style.dash));
  }
});
