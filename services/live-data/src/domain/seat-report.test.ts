import { expect, test } from 'vitest';
import { packLog, seatLogBytes, unpackLog } from './seat-report.ts';

test('a log comes back as it was, umlauts and zero bytes included', () => {
  const log = 'Größe \u0000 ♠\n'.repeat(50);
  expect(unpackLog(packLog(log))).toBe(log);
});

test('a log over 64 KiB keeps its beginning and its end', () => {
  const log = `first line\n${'x'.repeat(200_000)}\nlast line`;
  const kept = unpackLog(packLog(log));
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(seatLogBytes);
  expect(kept.startsWith('first line')).toBe(true);
  expect(kept.endsWith('last line')).toBe(true);
  expect(kept).toContain('[… cut …]');
});
