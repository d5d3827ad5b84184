import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@husky/platform/free-port';
import { type TestDatabase, testDatabase } from './servers.ts';
import { testVariables } from './service-under-test.ts';

const servicesFolder = join(import.meta.dirname, '../../..');
// Much longer than a start takes, since other tests use the same machine.
const readyMs = 50_000;

export interface ServiceProcess {
  readonly grpcPort: number;
  readonly pid: number;
  readonly database: TestDatabase;
  /** Sends SIGTERM and resolves with the exit code and signal. */
  end(): Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** Kills the process and drops its database. */
  stop(): Promise<void>;
}

/**
 * Starts a service as a process, configured only by environment variables, with a new database and the run's NATS. Resolves when
 * /readyz returns 200. Rejects after 50 s, or with the process's output if the process ends first.
 */
export async function startService(service: string, more: Record<string, string> = {}): Promise<ServiceProcess> {
  const database = await testDatabase(service);
  const [grpcPort, opsPort] = await Promise.all([freePort(), freePort()]);
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(servicesFolder, service),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...(await testVariables(service, database)),
      GRPC_ADDRESS: `127.0.0.1:${grpcPort}`,
      OPS_ADDRESS: `127.0.0.1:${opsPort}`,
      LOG_LEVEL: 'warn',
      ...more,
    },
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await database.drop();
  };
  try {
    await waitUntilReady(child, service, opsPort);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    grpcPort,
    pid: child.pid ?? 0,
    database,
    async end() {
      child.kill('SIGTERM');
      return ended;
    },
    stop,
  };
}

async function waitUntilReady(child: ChildProcess, service: string, opsPort: number): Promise<void> {
  const output = child.stdout === null ? Promise.resolve('') : text(child.stdout);
  const until = Date.now() + readyMs;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`${service} has ended: ${await output}`);
    const status = await fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await pause(50);
  }
  throw new Error(`${service} did not become ready within ${readyMs / 1000} s`);
}
