// Moves the clock of a real Node.js process while it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { readClocks } from '../../up/clocks.ts';
import { Clocks, clockFileOf, setClock } from './clocks.ts';

const clocks = Clocks.open();
const hourS = 3600;

// Prints its time and its monotonic clock for each line that it reads.
const program = `require('node:readline').createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify({ atMs: Date.now(), monotonicMs: performance.now() })))`;

test.skipIf(typeof clocks === 'string')(
  `moves the clock of one process forward and back, and not its monotonic clock${typeof clocks === 'string' ? ` (skipped: ${clocks})` : ''}`,
  async () => {
    if (typeof clocks === 'string') return;
    onTestFinished(() => clocks.remove());
    const env = { ...process.env, ...readClocks(clocks.variable)('gateway') };
    const child = spawn(process.execPath, ['-e', program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout });
    const read = async (): Promise<{ atMs: number; monotonicMs: number }> => {
      child.stdin.write('\n');
      const [line] = await once(lines, 'line');
      return JSON.parse(line);
    };
    const aheadH = async () => Math.round(((await read()).atMs - Date.now()) / hourS / 1000);
    const first = await read();
    const file = clockFileOf(child.pid ?? 0) ?? '';
    for (const hours of [3, -2, 0]) {
      setClock(file, hours * hourS);
      await expect.poll(aheadH, { timeout: 60_000 }).toBe(hours);
    }
    const last = await read();
    expect(last.monotonicMs - first.monotonicMs).toBeLessThan(hourS * 1000);
    expect(last.monotonicMs).toBeGreaterThan(first.monotonicMs);
    expect(clockFileOf(process.pid)).toBeUndefined();
  },
);

test('gives each part and each dealer its own clock, and refuses an invalid setting', () => {
  const clockOf = readClocks('/lib/faketime.so:/tmp/clocks');
  expect(clockOf('auth').FAKETIME_TIMESTAMP_FILE).toBe('/tmp/clocks/auth');
  expect(clockOf('auth')).not.toHaveProperty('DEALER_VARIABLES');
  expect(JSON.parse(clockOf('pool').DEALER_VARIABLES ?? '')).toMatchObject({
    FAKETIME_TIMESTAMP_FILE: '/tmp/clocks/dealer-{number}',
  });
  expect(readClocks('')('auth')).toEqual({});
  expect(() => readClocks('/lib/faketime.so')).toThrow('CLOCKS must be <path of libfaketime>:<path of a folder>');
});
