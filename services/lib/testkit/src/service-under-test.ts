import type { ServiceSettings } from '@husky/runtime/process/config';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { createLogger } from '@husky/runtime/process/logger';
import type { ReadinessCheck } from '@husky/runtime/process/ops-server';
import { type TestDatabase, testIdentities, testNats } from './servers.ts';

/** Returns the settings of a service that runs in the test's process: free ports, the run's keys, no TLS, only fatal errors logged. */
export function testSettings(service: string): ServiceSettings {
  const { keyFile, trustFile } = testIdentities();
  const address = '127.0.0.1:0';
  return {
    grpcAddress: address,
    opsAddress: address,
    logLevel: 'fatal',
    otlpEndpoint: undefined,
    sampling: { sampler: 'parentbased_always_on', ratio: 1 },
    tlsFolder: undefined,
    keyFile: keyFile(service),
    trustFile,
  };
}

/** Returns the environment variables that configure a service's ports, database, NATS and keys. */
export async function testVariables(service: string, database: TestDatabase): Promise<Record<string, string>> {
  const { keyFile, trustFile } = testIdentities();
  const nats = await testNats(service);
  return {
    GRPC_ADDRESS: '127.0.0.1:0',
    OPS_ADDRESS: '127.0.0.1:0',
    IDENTITY_KEY_FILE: keyFile(service),
    IDENTITY_TRUST_FILE: trustFile,
    DATABASE_URL: database.url,
    DATABASE_PASSWORD_FILE: database.passwordFile,
    NATS_URL: nats.url,
    NATS_PASSWORD_FILE: nats.passwordFile,
  };
}

export interface TestLife extends Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'> {
  /** The parts of /readyz, by name. */
  readonly checks: ReadonlyMap<string, ReadinessCheck>;
  /** Runs the registered `onStop` functions in reverse order. */
  stop(): Promise<void>;
}

/** Creates a lifecycle for a service in the test's process, without signal handlers and ops port. */
export function testLife(service: string): TestLife {
  const closers: (() => Promise<void> | void)[] = [];
  const checks = new Map<string, ReadinessCheck>();
  return {
    log: createLogger(service, 'fatal'),
    onStop: (_name, close) => void closers.push(close),
    readyWhen: (name, check) => void checks.set(name, check),
    checks,
    async stop() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
