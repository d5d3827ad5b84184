import { spawn } from 'node:child_process';
import { onLines } from '@husky/runtime/process/supervised-process';

/** A server that runs beside the platform: PostgreSQL, NATS, Keycloak. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, by itself or by stop(), with its exit code and the last lines of its log. */
  readonly exited: Promise<{ readonly code: number | null; readonly tail: string }>;
  stop(): Promise<void>;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Signal that requests a graceful shutdown; default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Signal that is sent when the process still runs after `graceMs`; default SIGKILL. */
  readonly killSignal?: NodeJS.Signals;
  /** Default 8 s. */
  readonly graceMs?: number;
}

const tailLines = 20;

/**
 * Starts a server and waits until `ready` resolves. The signal that `ready` gets aborts when the server ends. When `ready` rejects,
 * kills the server and throws that error; if the server ended first, the error has the text that `explain` returns for the log's
 * last lines. The server leads its own process group, so that Ctrl-C reaches only the caller, which must stop it.
 */
export async function startServer(
  program: ServerProgram,
  ready: (signal: AbortSignal) => Promise<unknown>,
  explain: (tail: string) => string,
): Promise<ServerProcess> {
  const { command, args, cwd, env, uid, gid, onLog } = program;
  const child = spawn(command, args, {
    cwd,
    env,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    onLines(stream, (line) => {
      if (line === '') return;
      lines.push(line);
      if (lines.length > tailLines) lines.shift();
      onLog?.(line);
    });
  }
  const ended = new AbortController();
  const exited = new Promise<{ code: number | null; tail: string }>((resolve) => {
    child.once('error', (error) => void lines.push(error.message));
    child.once('close', (code) => {
      ended.abort(new Error(explain(lines.join('\n'))));
      resolve({ code, tail: lines.join('\n') });
    });
  });
  try {
    await ready(ended.signal);
  } catch (error) {
    child.kill(program.killSignal ?? 'SIGKILL');
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill(program.stopSignal ?? 'SIGTERM');
      const timer = setTimeout(() => child.kill(program.killSignal ?? 'SIGKILL'), program.graceMs ?? 8000);
      await exited;
      clearTimeout(timer);
    },
  };
}
