// Vitest's global set-up for the suites that need the whole platform: a real `make up` on a fresh data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@husky/testkit/free-port';
import type { TestProject } from 'vitest/node';

export interface Platform {
  readonly origin: string;
  readonly dataDir: string;
  readonly adminPassword: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    platform: Platform;
  }
}

const root = join(import.meta.dirname, '../..');
const startMs = 120_000;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { platform, stop } = await startPlatform();
  project.provide('platform', platform);
  return stop;
}

/** A fresh platform on a free port; `stop` ends it and removes its data. */
export async function startPlatform(): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'husky-e2e-'));
  const port = await freePort();
  const adminPassword = 'correct horse battery';
  const child = spawn(process.execPath, ['scripts/up/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_USERNAME: 'admin',
      ADMIN_PASSWORD: adminPassword,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await readyLine(child);
  const stop = async () => {
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { platform: { origin: `http://localhost:${port}`, dataDir, adminPassword }, stop };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const fail = (why: string) => {
      child.kill('SIGTERM');
      reject(new Error(`${why}\n${lines.slice(-40).join('\n')}`));
    };
    const timer = setTimeout(() => fail(`make up was not ready within ${startMs / 1000} s`), startMs);
    child.once('close', (code) => fail(`make up ended with ${code}`));
    if (!child.stdout) throw new Error('make up has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (process.env.E2E_LOG) process.stderr.write(`${line}\n`);
      if (line.startsWith('ready: ')) {
        clearTimeout(timer);
        child.removeAllListeners('close');
        resolve();
      }
    });
  });
}
