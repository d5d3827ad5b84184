import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authService } from '@husky/contracts/services';
import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';
import type { Caller } from '@husky/runtime/caller';
import type { DomainError } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import { createLogger } from '@husky/runtime/logger';
import type { ReadinessCheck } from '@husky/runtime/ops-server';
import { type TestClock, testClock } from '@husky/testkit/clock';
import { mailsIn } from '@husky/testkit/mail-folder';
import { type TestDatabase, testClient, testDatabase, testIdentities, testNats } from '@husky/testkit/servers';
import type { AuthConfig } from '../src/config.ts';
import { start } from '../src/start.ts';
import { keycloakOfRun, type TestRealm, testRealm } from './realm.ts';

export const anonymous: Caller = { kind: 'anonymous' };
export const adminPassword = 'the first admin';
export const goodPassword = 'correct horse';

export interface AuthUnderTest {
  readonly client: RpcClient<AuthServiceDefinition>;
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly config: AuthConfig;
  /** Where the accounts are, when they are in Keycloak. */
  readonly realm: TestRealm | undefined;
  /** Texts of the mails sent so far, oldest first. */
  mails(): string[];
  /** The token of the newest mail's link. */
  linkToken(): string;
  register(username: string): Promise<Session__Output>;
  /** Whom the token says that they are, as the gateway tells the services. */
  callerOf(accessToken: string): Promise<Caller>;
  signInAdmin(): Promise<Caller>;
  stop(): Promise<void>;
}

/**
 * The real service over gRPC, with real PostgreSQL and NATS, cheap hashes and a clock that stands still. What it tells of
 * its readiness is in `checks`, from early in its start on.
 */
export async function startAuth(
  change: (config: AuthConfig) => AuthConfig | Promise<AuthConfig> = (config) => config,
  checks = new Map<string, ReadinessCheck>(),
): Promise<AuthUnderTest> {
  const database = await testDatabase('auth');
  const nats = testNats('auth');
  const outboxFolder = mkdtempSync(join(tmpdir(), 'husky-mail-'));
  const clock = testClock(Date.now());
  const keycloak = keycloakOfRun();
  const realm = keycloak ? await testRealm(keycloak) : undefined;
  const config = await change({
    service: {
      grpcAddress: '127.0.0.1:0',
      opsAddress: '127.0.0.1:0',
      logLevel: 'fatal',
      otlpEndpoint: undefined,
      trustFile: testIdentities().trustFile,
    },
    database: { url: database.url, password: database.password, schema: 'auth', poolSize: 6 },
    nats,
    publicUrl: 'http://husky.test',
    firstAdmin: { username: 'Root', password: adminPassword, email: 'admin@localhost' },
    keycloak: realm?.settings,
    signingKeyFile: undefined,
    signingKeyDays: 30,
    argon2: { memoryKib: 64, passes: 1, lanes: 1 },
    mail: { smtpUrl: undefined, outboxFolder, from: "Husky Hold'em <no-reply@localhost>" },
  });
  const closers: (() => Promise<void> | void)[] = [];
  const life = {
    log: createLogger('auth', config.service.logLevel),
    onStop: (_name: string, close: () => Promise<void> | void) => void closers.push(close),
    readyWhen: (name: string, check: ReadinessCheck) => void checks.set(name, check),
  };
  const port = await start(config, life, () => new Date(clock.now()));
  const client = testClient(authService, port);

  const mails = () => mailsIn(outboxFolder);
  const callerOf = async (accessToken: string): Promise<Caller> => {
    const user = await client.identify({ accessToken }, { caller: anonymous });
    return { kind: 'user', id: user.id, username: user.username, admin: user.admin, verified: user.isVerified };
  };
  return {
    client,
    database,
    clock,
    config,
    realm,
    mails,
    linkToken: () => /\/(?:auth\/verify-email|reset-password)\/([\w-]+)/.exec(mails().at(-1) ?? '')?.[1] ?? '',
    register: (username) =>
      client.register({ username, email: `${username}@example.com`, password: goodPassword }, { caller: anonymous }),
    callerOf,
    async signInAdmin() {
      const session = await client.login({ username: 'root', password: adminPassword }, { caller: anonymous });
      return callerOf(session.accessToken);
    },
    async stop() {
      client.close();
      for (const close of closers.reverse()) await close();
      await database.drop();
      await realm?.drop();
      rmSync(outboxFolder, { recursive: true, force: true });
    },
  };
}

/** The refusal of a call, as `CODE reason: message`; fails when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = (await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as DomainError | undefined;
  return error === undefined ? 'OK' : `${error.code} ${error.reason}: ${error.message}`;
}
