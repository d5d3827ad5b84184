import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect as tcpConnect } from 'node:net';
import { join } from 'node:path';
import { childExit } from './child-exit.ts';
import { natsConfig } from './nats-users.ts';

export interface NatsServer {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<{ code: number | null; tail: string }>;
  stop(): Promise<void>;
}

export interface NatsOptions {
  /** Path of the nats-server program. */
  readonly program: string;
  readonly dataDir: string;
  readonly port: number;
  /** A password for each user of `natsUsers`. */
  readonly passwords: Readonly<Record<string, string>>;
  readonly onLog?: (line: string) => void;
}

/** Starts the real nats-server with JetStream on 127.0.0.1, with one user a service. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  if (!existsSync(options.program)) throw new Error(`nats-server is not installed at ${options.program}`);
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(options.dataDir, 'nats.conf');
  writeFileSync(configFile, natsConfig(options), { mode: 0o600 });
  const child = spawn(options.program, ['-c', configFile], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const exited = childExit(child, options.onLog);
  const ready = await Promise.race([
    portAnswers(options.port, 15_000),
    exited.then((end) => new Error(`NATS could not start: ${end.tail.split('\n').at(-1)}`)),
  ]);
  if (ready instanceof Error) {
    child.kill('SIGKILL');
    throw ready;
  }
  return {
    url: `nats://127.0.0.1:${options.port}`,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Resolves when something accepts connections at the port, or with an Error after `timeoutMs`. */
export async function portAnswers(port: number, timeoutMs: number): Promise<Error | undefined> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = tcpConnect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('close', () => socket.destroy()).on('connect', () => socket.end());
    });
    if (open) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return new Error(`Nothing answers at port ${port}`);
}
