import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { changeNiceness, suspend } from '../src/process/supervised-process.ts';
import { startThreads, type Threads } from '../src/process/threads.ts';

const pools: Threads<number, number>[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function roots(count: number, idleMs = 60_000): Threads<number, number> {
  const code = new URL('./root-thread.ts', import.meta.url);
  const pool = startThreads<number, number>(code, { count, niceness: 1, idleMs });
  pools.push(pool);
  return pool;
}

test('runs jobs in threads and returns their results in the order of the calls', async () => {
  const pool = roots(2);
  expect(await Promise.all([4, 9, 16, 25, 36].map((square) => pool.run(square)))).toEqual([2, 3, 4, 5, 6]);
});

test('rejects with the message of a job that fails and goes on', async () => {
  const pool = roots(1);
  await expect(pool.run(-1)).rejects.toThrow('-1 has no root');
  expect(await pool.run(9)).toBe(3);
});

test('rejects the jobs of a thread that ends and starts another one', async () => {
  const pool = roots(1);
  await expect(Promise.all([pool.run(Number.NaN), pool.run(4)])).rejects.toThrow('the thread ended');
  expect(await pool.run(9)).toBe(3);
});

test('ends an idle thread, and starts another one for the next job', async () => {
  const pool = roots(1, 1);
  const thread = await pool.run(0);
  await expect.poll(() => pool.run(0)).not.toBe(thread);
});

test('rejects pending jobs when it is closed', async () => {
  const pool = roots(1);
  expect(await pool.run(4)).toBe(2);
  const pending = expect(pool.run(Number.POSITIVE_INFINITY)).rejects.toThrow('the thread ended');
  await Promise.all([pool.close(), pending]);
});

async function startSession(): Promise<number> {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child, 'spawn');
  return child.pid ?? 0;
}

test('a suspended process does nothing more', async () => {
  const child = spawn(process.execPath, ['-e', 'for (;;) process._rawDebug("on")'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  await suspend(child.pid ?? 0);
  const spent = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
  const before = spent();
  await setTimeout(100);
  expect(spent()).toBe(before);
});

test('lowers the priority of a process and of its session', async () => {
  const pid = await startSession();
  const expected = Math.min(19, getPriority() + 5);
  changeNiceness(pid, 5);
  expect(getPriority(pid)).toBe(expected);
  const session = `/proc/${pid}/autogroup`;
  if (!existsSync(session)) return;
  await expect
    .poll(() => readFileSync(session, 'utf8'), { timeout: 10_000 })
    .toMatch(new RegExp(` nice ${expected}\\n$`));
});

test('ignores a process that has ended and a priority that the system does not allow', async () => {
  expect(() => changeNiceness(2 ** 22 - 1, 5)).not.toThrow();
  const pid = await startSession();
  expect(() => changeNiceness(pid, -100)).not.toThrow();
});
