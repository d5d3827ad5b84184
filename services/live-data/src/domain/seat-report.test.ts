import { expect, test } from 'vitest';
import { packLog, seatLogBytes, unpackLog } from './seat-report.ts';

test('unpacks a packed log unchanged, including umlauts and zero bytes', () => {
  const log = 'Größe \u0000 ♠\n'.repeat(50);
  expect(unpackLog(packLog(log))).toBe(log);
});

test('keeps the beginning and the end of a log over 64 KiB', () => {
  const log = `first line\n${'x'.repeat(200_000)}\nlast line`;
  const kept = unpackLog(packLog(log));
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(seatLogBytes);
  expect(kept.startsWith('first line')).toBe(true);
  expect(kept.endsWith('last line')).toBe(true);
  expect(kept).toContain('[… cut …]');
});
