// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { retryImport } from './retry-import.ts';

/** Returns a load that fails `times` times, and the waits between its attempts. */
function failing(times: number) {
  const waits: number[] = [];
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (attempts <= times) throw new Error(`failed ${attempts}`);
    return 'page';
  };
  const wait = async (ms: number) => void waits.push(ms);
  return { run: () => retryImport(load, wait), waits };
}

it('loads a chunk whose first two requests fail', async () => {
  const { run, waits } = failing(2);
  expect(await run()).toBe('page');
  expect(waits).toEqual([500, 2000]);
});

it('throws the last error after three attempts', async () => {
  await expect(failing(3).run()).rejects.toThrow('failed 3');
});

it('does not wait when the chunk loads', async () => {
  const { run, waits } = failing(0);
  expect(await run()).toBe('page');
  expect(waits).toEqual([]);
});
