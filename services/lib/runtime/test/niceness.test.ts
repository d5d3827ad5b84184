import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { changeNiceness } from '../src/process/supervised-process.ts';

async function startSession(): Promise<number> {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child, 'spawn');
  return child.pid ?? 0;
}

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
