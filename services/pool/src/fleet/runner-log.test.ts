import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunnerLog } from './runner-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () =>
  new RunnerLog(join(folder, 'runner.log'), (error) => {
    throw error;
  });

test('returns whole lines within the requested size', async () => {
  const log = open();
  for (let n = 0; n < 1000; n++) log.add('dealer', `line ${n} ♠`);
  const tail = log.tail(100);
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(100);
  expect(tail.endsWith('dealer | line 999 ♠\n')).toBe(true);
  expect(tail.startsWith('dealer | line ')).toBe(true);
  await log.close();
});

test("bounds the memory of a runner's log", async () => {
  const log = open();
  for (let n = 0; n < 200; n++) log.add('seats', 'x'.repeat(100_000));
  expect(Buffer.byteLength(log.tail(Number.MAX_SAFE_INTEGER))).toBeLessThanOrEqual(512 * 1024);
  await log.close();
});

test('writes all lines to the file and rotates it when it is full', async () => {
  const log = open();
  for (let n = 0; n < 1000; n++) log.add('seats', 'y'.repeat(5000));
  log.add('seats', 'the last');
  await log.close();
  expect(readFileSync(join(folder, 'runner.log'), 'utf8')).toContain('the last');
  expect(readFileSync(join(folder, 'runner.log.1')).length).toBeGreaterThan(4_000_000);
});
