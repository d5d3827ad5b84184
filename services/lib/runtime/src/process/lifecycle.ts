import type { AddressInfo } from 'node:net';
import { messageOf } from '../rpc/errors.ts';
import { startTelemetry, type Telemetry, type TelemetrySettings } from '../telemetry/telemetry.ts';
import type { Process, ProcessSettings } from './config.ts';
import { createLogger, type Logger } from './logger.ts';
import { collectWhenIdle } from './node-arguments.ts';
import { createOpsServer, type ReadinessCheck } from './ops-server.ts';
import { variableNotes } from './variable-notes.ts';

/** The argument of a service's start function: its logger, and functions to register closers and readiness checks. */
export interface Lifecycle {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Registers a closer. Closers run in reverse order on shutdown; each has `closeMs` (10 s). */
  onStop(name: string, close: () => Promise<void> | void, closeMs?: number): void;
  /** Adds a readiness check to /readyz. */
  readyWhen(name: string, check: ReadinessCheck): void;
}

const defaultCloseMs = 10_000;

/**
 * Returns the configuration that `read` reads from the environment, and logs which variables have no effect. If it throws, logs the
 * message in one line and ends the process with exit code 1.
 */
export function readOrExit<T>(service: Process, read: (env: NodeJS.ProcessEnv) => T, env: NodeJS.ProcessEnv): T {
  try {
    const config = read(env);
    for (const note of variableNotes(service, env)) createLogger(service).warn(note);
    return config;
  } catch (error) {
    createLogger(service).fatal(`${service} could not start: ${messageOf(error)}`);
    return process.exit(1);
  }
}

/**
 * Runs a service until SIGTERM or SIGINT: starts telemetry and the ops server, calls `start`, waits for the signal, runs the
 * closers. An error during the start or an unhandled one is logged and ends the process with exit code 1.
 */
export async function runService(
  service: string,
  settings: Pick<ProcessSettings, 'logLevel' | 'opsAddress' | 'otlpEndpoint' | 'sampling'>,
  start: (life: Lifecycle) => Promise<unknown>,
  telemetrySettings: Pick<TelemetrySettings, 'edge'> = {},
): Promise<void> {
  const log = createLogger(service, settings.logLevel);
  const telemetry = await startTelemetry(service, { ...settings, ...telemetrySettings });
  const closers: { name: string; close: () => Promise<void> | void; closeMs: number }[] = [];
  const checks = new Map<string, ReadinessCheck>();
  let stopping = false;
  let started = false;
  checks.set('start', async () => {
    if (!started) throw new Error('still starting');
  });

  async function stop(reason: string, code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    log.info(`stopping: ${reason}`);
    for (const { name, close, closeMs } of closers.reverse()) {
      const timeout = new Promise<'late'>((resolve) => setTimeout(resolve, closeMs, 'late').unref());
      const outcome = await Promise.race([Promise.resolve().then(close), timeout]).catch((error: unknown) => {
        log.warn({ err: error }, `${name} did not close: ${messageOf(error)}`);
      });
      if (outcome === 'late') log.warn(`${name} did not close within ${closeMs / 1000} s`);
    }
    await telemetry.shutdown().catch(() => undefined);
    process.exit(code);
  }

  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, `unhandled error: ${error.message}`);
    void stop('unhandled error', 1);
  });
  process.on('unhandledRejection', (reason) => {
    log.fatal({ err: reason }, `unhandled rejection: ${messageOf(reason)}`);
    void stop('unhandled rejection', 1);
  });

  const ops = createOpsServer(telemetry, checks, () => stopping);
  try {
    await new Promise<void>((resolve, reject) => {
      const [host, port] = splitAddress(settings.opsAddress);
      ops.once('error', reject).listen(port, host, resolve);
    });
    closers.push({ name: 'ops server', close: () => void ops.close(), closeMs: defaultCloseMs });
    await start({
      log,
      telemetry,
      onStop: (name, close, closeMs = defaultCloseMs) => closers.push({ name, close, closeMs }),
      readyWhen: (name, check) => checks.set(name, check),
    });
    started = true;
    collectWhenIdle();
    log.info({ opsPort: (ops.address() as AddressInfo).port }, `${service} is ready`);
  } catch (error) {
    log.fatal({ err: error }, `${service} could not start: ${messageOf(error)}`);
    await stop('could not start', 1);
  }
}

/** Splits host:port. */
export function splitAddress(address: string): [host: string, port: number] {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon), Number(address.slice(colon + 1))];
}
