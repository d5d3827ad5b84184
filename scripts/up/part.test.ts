import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Part } from './part.ts';
import { ProcessRegister } from './preflight.ts';

let folder = '';
let stop: () => Promise<void> = async () => undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-part-'));
});

afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startPart(program: string): Promise<Part> {
  const port = await freePort();
  const options = {
    name: 'echo',
    command: process.execPath,
    args: ['-e', program],
    cwd: folder,
    env: { PORT: String(port) },
    opsAddress: `127.0.0.1:${port}`,
  };
  const part = new Part(options, new ProcessRegister(folder));
  stop = () => part.stop();
  part.start();
  return part;
}

const register = () => JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as { echo?: { pid: number } };
const server =
  "require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')";

test('is ready when /readyz returns 200, and is restarted when it is killed', async () => {
  const part = await startPart(server);
  await part.waitUntilReady(60_000);
  const { pid = 0 } = register().echo ?? {};
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => register().echo?.pid ?? pid, { timeout: 60_000 }).not.toBe(pid);
  await part.waitUntilReady(60_000);
  await part.stop();
  expect(register()).toEqual({});
});

test('throws with the last log lines if the part does not become ready', async () => {
  const part = await startPart("console.log('no database'); setInterval(() => undefined, 1000)");
  await expect.poll(() => part.waitUntilReady(0).catch((error: Error) => error.message)).toContain('no database');
});

test('stops waiting for readiness when the part is stopped', async () => {
  const part = await startPart('setInterval(() => undefined, 1000)');
  const ready = part.waitUntilReady(60_000);
  await part.stop();
  await ready;
});
