import { showControls } from '@husky/match/plain-text';
import { expect, test } from 'vitest';
import { limitDetails, packLog, seatLogBytes, unpackLog } from './seat-report.ts';

test('unpacks a packed log unchanged, including umlauts and zero bytes', () => {
  const log = 'Größe \u0000 ♠\n'.repeat(50);
  expect(unpackLog(packLog(log))).toBe(log);
});

test('shows control characters of a log as escapes, and line ends of other systems as line ends', () => {
  expect(showControls('a\r\nb\tc\n\u001b[2J\rx\u0000\u007f\u009b\u202e\u2028é♠')).toBe(
    'a\nb\tc\n\\x1b[2J\\x0dx\\x00\\x7f\\x9b\\u202e\\u2028é♠',
  );
});

test('keeps the platform’s notes to one line each', () => {
  const details = { outKind: '', outText: '', failedCalls: [], times: null, bankMs: 0, bankUsedMs: 0 };
  const { notes } = limitDetails({ ...details, notes: ['hand 1: a\nhand 2: b', ...Array(99).fill('x')] });
  expect([notes.length, notes[0]]).toEqual([60, 'hand 1: a hand 2: b']);
});

test('keeps the beginning and the end of a log over 64 KiB', () => {
  const log = `first line\n${'x'.repeat(200_000)}\nlast line`;
  const kept = unpackLog(packLog(log));
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(seatLogBytes);
  expect(kept.startsWith('first line')).toBe(true);
  expect(kept.endsWith('last line')).toBe(true);
  expect(kept).toContain('[… cut …]');
});
