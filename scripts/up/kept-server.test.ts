import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@husky/platform/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restartAfterFullDisk } from './full-disk.ts';
import { KeptServer } from './kept-server.ts';
import { ProcessRegister } from './preflight.ts';

let folder = '';
let stop: () => Promise<void> = async () => undefined;

beforeEach(() => {
  stop = async () => undefined;
  folder = mkdtempSync(join(tmpdir(), 'husky-kept-'));
});

afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const sleep = { command: process.execPath, args: ['-e', 'setInterval(() => undefined, 1000)'] };
const start = () => startServer(sleep, async () => undefined, String);
const register = () => JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as { nats?: { pid: number } };

async function keep(restart: typeof start): Promise<number> {
  const kept = new KeptServer({ name: 'nats', start: restart, register: new ProcessRegister(folder) }, await start());
  stop = () => kept.stop();
  return register().nats?.pid ?? 0;
}

test('restarts a killed server and registers its new process', async () => {
  const pid = await keep(start);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => register().nats?.pid ?? pid, { timeout: 30_000 }).not.toBe(pid);
  await stop();
  expect(register()).toEqual({});
});

test('retries if the server does not start', async () => {
  let failures = 0;
  const pid = await keep(() => {
    failures += 1;
    return failures < 3 ? Promise.reject(new Error('the port is in use')) : start();
  });
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => register().nats?.pid ?? pid, { timeout: 30_000 }).not.toBe(pid);
  expect(failures).toBe(3);
});

test('does not restart a server after stop()', async () => {
  let restarts = 0;
  const pid = await keep(() => {
    restarts += 1;
    return start();
  });
  await stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(restarts).toBe(0);
});

test('restarts NATS once after a full disk, when the disk has space', async () => {
  let restarts = 0;
  const onLine = restartAfterFullDisk(folder, () => {
    restarts += 1;
  });
  onLine('[INF] Server is ready');
  for (let line = 0; line < 3; line++)
    onLine('[ERR] JetStream failed to store a msg: write 1.blk: no space left on device');
  await expect.poll(() => restarts, { timeout: 30_000 }).toBe(1);
});
