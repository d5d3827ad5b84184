import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect as tcpConnect } from 'node:net';
import { join } from 'node:path';
import { retry } from '@husky/runtime/process/retry';
import { type NatsRights, natsConfig } from './nats-users.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export interface NatsServer extends ServerProcess {
  readonly url: string;
}

export interface NatsOptions {
  /** Path of the nats-server program. */
  readonly program: string;
  readonly dataDir: string;
  readonly port: number;
  /** A password per user. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Default: `natsUsers`. */
  readonly users?: Readonly<Record<string, NatsRights>>;
  readonly onLog?: (line: string) => void;
}

const startMs = 15_000;

/** Starts nats-server with JetStream on 127.0.0.1, with one user per service. Throws when the program is missing or does not start within 15 s. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const { program, dataDir, port, onLog } = options;
  if (!existsSync(program)) throw new Error(`nats-server is not installed at ${program}`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(dataDir, 'nats.conf');
  writeFileSync(configFile, natsConfig(options), { mode: 0o600 });
  const server = await startServer(
    { command: program, args: ['-c', configFile], onLog },
    (signal) => waitForPort(port, signal),
    (tail) => `NATS could not start: ${tail.split('\n').at(-1)}`,
  );
  return { ...server, url: `nats://127.0.0.1:${port}` };
}

/** Resolves when a server accepts connections at the port. Rejects after 15 s, or with the reason of `signal`. */
function waitForPort(port: number, signal: AbortSignal): Promise<void> {
  const attempt = () =>
    new Promise<void>((resolve, reject) => {
      const socket = tcpConnect(port, '127.0.0.1', () => socket.end(resolve)).once('error', reject);
    });
  return retry(attempt, { signal, firstPauseMs: 50, maxPauseMs: 50, maxMs: startMs });
}
