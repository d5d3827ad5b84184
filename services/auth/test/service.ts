import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authService } from '@husky/contracts/services';
import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { type TestClock, testClock } from '@husky/testkit/clock';
import { mailsIn } from '@husky/testkit/mail-folder';
import { type TestDatabase, testClient, testDatabase, testNats } from '@husky/testkit/servers';
import { testLife, testSettings } from '@husky/testkit/service-under-test';
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
  /** The realm with the accounts; undefined in the mode `own`. */
  readonly realm: TestRealm | undefined;
  /** Texts of the mails sent so far except notices, oldest first. */
  mails(): string[];
  /** The token of the newest mail's link. */
  linkToken(): string;
  register(username: string): Promise<Session__Output>;
  /** Returns the caller that the gateway would assert for this token. */
  callerOf(accessToken: string): Promise<Caller>;
  signInAdmin(): Promise<Caller>;
  /** Returns the lifetimes that a token of `seconds` may have. Keycloak reads its clock once for each field, so they differ by up to 1 s. */
  lifetimes(seconds: number): number[];
  stop(): Promise<void>;
}

/**
 * Starts the service with real PostgreSQL and NATS, cheap hashes and a clock that only tests advance. The service registers its
 * readiness checks in `life` before it has started completely.
 */
export async function startAuth(
  change: (config: AuthConfig) => AuthConfig | Promise<AuthConfig> = (config) => config,
  life = testLife('auth'),
): Promise<AuthUnderTest> {
  const database = await testDatabase('auth');
  const nats = await testNats('auth');
  const outboxFolder = mkdtempSync(join(tmpdir(), 'husky-mail-'));
  const clock = testClock(Date.now());
  const keycloak = keycloakOfRun();
  const realm = keycloak ? await testRealm(keycloak) : undefined;
  const config = await change({
    service: testSettings('auth'),
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
  const port = await start(config, life, () => new Date(clock.now()));
  const client = testClient(authService, port);

  // Notices about verified addresses are sent in the background, so they would disturb the counts of other mails.
  const mails = () => mailsIn(outboxFolder).filter((mail) => !/^List-Unsubscribe:/im.test(mail));
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
    lifetimes: (seconds) => (realm ? [seconds - 1, seconds, seconds + 1] : [seconds]),
    async stop() {
      client.close();
      await life.stop();
      await database.drop();
      await realm?.drop();
      rmSync(outboxFolder, { recursive: true, force: true });
    },
  };
}
