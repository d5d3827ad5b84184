import type { ServiceSettings } from '@husky/runtime/config';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { createLogger } from '@husky/runtime/logger';
import type { ReadinessCheck } from '@husky/runtime/ops-server';
import { type TestDatabase, testIdentities, testNats } from './servers.ts';

/** What a service is told when it runs in the test's own process: any port, silence, the run's keys, no TLS. */
export function testSettings(service: string): ServiceSettings {
  const { keyFile, trustFile } = testIdentities();
  const address = '127.0.0.1:0';
  return {
    ...{ grpcAddress: address, opsAddress: address, logLevel: 'fatal', otlpEndpoint: undefined, tls: undefined },
    ...{ keyFile: keyFile(service), trustFile },
  };
}

/** The variables that lead a service to a database, to the run's NATS and to its keys. */
export function testVariables(service: string, database: TestDatabase): Record<string, string> {
  const { keyFile, trustFile } = testIdentities();
  const nats = testNats(service);
  return {
    GRPC_ADDRESS: '127.0.0.1:0',
    OPS_ADDRESS: '127.0.0.1:0',
    IDENTITY_KEY_FILE: keyFile(service),
    IDENTITY_TRUST_FILE: trustFile,
    DATABASE_URL: database.url,
    DATABASE_PASSWORD_FILE: database.passwordFile,
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD_FILE: nats.passwordFile,
  };
}

export interface TestLife extends Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'> {
  /** The parts of /readyz, by name. */
  readonly checks: ReadonlyMap<string, ReadinessCheck>;
  /** Closes what the service opened, the last first. */
  stop(): Promise<void>;
}

/** A service's life in the test's own process, without signals and ports. */
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
