// Limits the memory of a real process, and recognizes the versions of control groups.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { findMemoryGroups, MemoryLimit } from './memory.ts';

const groups = findMemoryGroups();
const isRoot = process.getuid?.() === 0;

function fakeMount(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-groups-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'memory'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test.skipIf(!isRoot)(`recognizes the version of control groups${isRoot ? '' : ' (skipped: needs root)'}`, () => {
  const version1 = fakeMount({ 'memory/memory.limit_in_bytes': '' });
  expect(findMemoryGroups(version1)).toEqual({ version: 1, root: join(version1, 'memory') });
  const version2 = fakeMount({ 'cgroup.controllers': 'cpu memory pids\n', 'cgroup.subtree_control': 'cpu\n' });
  expect(findMemoryGroups(version2)).toEqual({ version: 2, root: version2 });
  expect(readFileSync(join(version2, 'cgroup.subtree_control'), 'utf8')).toBe('+memory');
  const withoutMemory = fakeMount({ 'cgroup.controllers': 'cpu pids\n' });
  expect(findMemoryGroups(withoutMemory)).toBe('this machine has no memory control groups');
});

// Allocates 64 MiB for each line that it reads.
const program = `const kept = []; require('node:readline').createInterface({ input: process.stdin })
  .on('line', () => { for (let n = 0; n < 64; n++) kept.push(Buffer.alloc(2 ** 20, 1)); console.log('allocated'); })`;

test.skipIf(typeof groups === 'string')(
  `makes a process wait for memory until the limit is released${typeof groups === 'string' ? ` (skipped: ${groups})` : ''}`,
  async () => {
    if (typeof groups === 'string') return;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    let allocations = 0;
    lines.on('line', () => {
      allocations += 1;
    });
    child.stdin.write('\n');
    await once(lines, 'line');
    const limit = MemoryLimit.apply(child.pid ?? 0, groups);
    child.stdin.write('\n');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(allocations).toBe(1);
    const released = once(lines, 'line');
    limit.release();
    await released;
    expect(child.exitCode).toBeNull();
  },
);
