// Measures the upper bound for any dealer: sends lines of 500 bytes to six Python children in turn over Unix sockets.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const children = 6;
const rounds = 20_000;

/** Returns the time in microseconds of one line and its reply, with all processes pinned to one core. */
export async function measureTransportLimitUs(python: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-ping-'));
  const path = join(folder, 'echo.sock');
  const sockets: Socket[] = [];
  const processes: ChildProcess[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    for (let index = 0; index < children; index++) {
      processes.push(
        spawn('taskset', ['-c', '0', python, join(import.meta.dirname, 'echo.py'), path], { stdio: 'ignore' }),
      );
    }
    for (let polls = 0; sockets.length < children && polls < 200; polls++)
      await new Promise((next) => setTimeout(next, 20));
    spawnSync('taskset', ['-acp', '0', String(process.pid)]);
    const line = Buffer.from(`${'x'.repeat(499)}\n`);
    return await new Promise<number>((resolve) => {
      let done = 0;
      const startedMs = performance.now();
      for (const [index, socket] of sockets.entries()) {
        socket.on('data', () => {
          done += 1;
          if (done === rounds) resolve(((performance.now() - startedMs) * 1000) / rounds);
          else sockets[(index + 1) % children]?.write(line);
        });
      }
      sockets[0]?.write(line);
    });
  } finally {
    for (const child of processes) child.kill('SIGKILL');
    server.close();
    // Later parts of the bench may use all processors again.
    spawnSync('taskset', ['-acp', `0-${cpus().length - 1}`, String(process.pid)]);
    rmSync(folder, { recursive: true, force: true });
  }
}
