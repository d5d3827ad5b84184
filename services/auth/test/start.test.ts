import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigrated, type ServiceDatabase } from '@husky/runtime/database/postgres';
import { json, sql } from '@husky/runtime/database/sql';
import { createLogger } from '@husky/runtime/process/logger';
import { isTransient } from '@husky/runtime/process/retry';
import { refusal } from '@husky/testkit/refusal';
import { testDatabase } from '@husky/testkit/servers';
import { startService } from '@husky/testkit/service-process';
import { PrismaPg } from '@prisma/adapter-pg';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { generateSigningKey } from '../src/domain/access-tokens.ts';
import { PrismaClient } from '../src/generated/client.ts';
import { retryAtStart } from '../src/retry-at-start.ts';
import { clientOver, migrations } from '../src/store/database.ts';
import { rotateSigningKeys } from '../src/store/signing-keys.ts';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from './service.ts';

const log = createLogger('test', 'fatal');
let database: ServiceDatabase<PrismaClient>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await testDatabase('auth');
  const { url, password } = created;
  drop = () => created.drop();
  database = await openMigrated({ url, password, schema: 'auth', poolSize: 1 }, migrations, clientOver);
});
afterAll(async () => {
  await database.close();
  await drop();
});

// Simulates a start under load: the only connection is in use until the second attempt.
test('a database that is too busy for a transaction is retried', async () => {
  const connection = await database.pool.connect();
  const errors: unknown[] = [];
  await retryAtStart(log, async () => {
    try {
      await rotateSigningKeys(database.prisma, 30, new Date(), { maxWait: 200, timeout: 5000 });
    } catch (error) {
      errors.push(error);
      connection.release();
      throw error;
    }
  });
  expect(errors).toHaveLength(1);
  expect(isTransient(errors[0])).toBe(true);
  expect(await database.prisma.signingKey.count()).toBe(1);
});

test('an error that is not transient ends the start at once', async () => {
  let attempts = 0;
  const broken = async () => {
    attempts++;
    throw new Error('wrong');
  };
  await expect(retryAtStart(log, broken)).rejects.toThrow('wrong');
  expect(attempts).toBe(1);
});

test('starts with its variables only, becomes ready and shuts down gracefully', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-mail-'));
  const service = await startService('auth', { PUBLIC_URL: 'http://husky.test', MAIL_OUTBOX_DIR: folder });
  onTestFinished(() => service.stop());
  expect(await service.end()).toEqual([0, null]);
}, 60_000);

const folder = mkdtempSync(join(tmpdir(), 'husky-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const invalid = 'UNAUTHENTICATED invalid-token: Invalid or expired token';
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

/** Returns the calls of the tests below. */
function callsOf(auth: AuthUnderTest) {
  return {
    async signIn(username: string) {
      const { accessToken } = await auth.client.login({ username, password: goodPassword }, { caller: anonymous });
      return accessToken;
    },
    identify: (accessToken: string) => refusal(auth.client.identify({ accessToken }, { caller: anonymous })),
    async published() {
      const { jwksJson } = await auth.client.getKeys({}, { caller: anonymous });
      expect(jwksJson).not.toContain('"d"');
      return (JSON.parse(jwksJson) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    },
  };
}

test('signs with the first key of a file and reloads it: an old key verifies until it is removed', async () => {
  const file = join(folder, 'keys.json');
  const writeKeys = (...keys: object[]) => {
    writeFileSync(`${file}.part`, JSON.stringify({ keys }));
    renameSync(`${file}.part`, file);
  };
  const [old, fresh] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  writeKeys(old);
  const auth = await startAuth((config) => ({ ...config, signingKeyFile: file }));
  try {
    const { signIn, identify, published } = callsOf(auth);
    await auth.register('keeper');
    const before = await signIn('keeper');
    expect(kidOf(before)).toBe(old.kid);

    writeKeys(fresh, old);
    await vi.waitFor(async () => expect(await published()).toEqual([fresh.kid, old.kid]), 10_000);
    const after = await signIn('keeper');
    expect(kidOf(after)).toBe(fresh.kid);
    expect([await identify(before), await identify(after)]).toEqual(['OK', 'OK']);

    writeKeys(fresh);
    await vi.waitFor(async () => expect(await identify(before)).toBe(invalid), 10_000);
    expect(await identify(after)).toBe('OK');

    // An unreadable file or an unsuitable key changes nothing.
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    writeFileSync(file, '{"keys": [');
    await vi.waitFor(async () => {
      expect(await identify(after)).toBe('OK');
      expect(warned).toHaveBeenCalledWith(expect.stringContaining('the previous content stays in use'));
    }, 10_000);
    warned.mockRestore();
    expect(readFileSync(file, 'utf8')).toBe('{"keys": [');
    expect(await signIn('keeper')).toBeTypeOf('string');
  } finally {
    await auth.stop();
  }
});

test('replaces a stored key after its period; tokens of the old key are valid until they expire', async () => {
  const auth = await startAuth();
  const { signIn, identify, published } = callsOf(auth);
  const db = new PrismaClient({ adapter: new PrismaPg(auth.database.admin, { schema: 'auth' }) });
  const rotate = () => rotateSigningKeys(db, 30, new Date(auth.clock.now()));
  try {
    await auth.register('keeper');
    const [first] = await published();
    auth.clock.advance(30 * 24 * 3_600_000 + 1);
    const before = await signIn('keeper');
    expect(kidOf(before)).toBe(first);
    // Two replicas that rotate concurrently create one key.
    await Promise.all([rotate(), rotate()]);
    auth.clock.advance(60_000);
    const keys = await published();
    expect(keys).toEqual([expect.not.stringContaining(first ?? ''), first]);
    const after = await signIn('keeper');
    expect(kidOf(after)).toBe(keys[0]);
    expect([await identify(before), await identify(after)]).toEqual(['OK', 'OK']);

    auth.clock.advance(13 * 3_600_000);
    await rotate();
    auth.clock.advance(60_000);
    expect(await published()).toEqual([keys[0]]);
    expect(await identify(before)).toBe(invalid);
  } finally {
    await db.$disconnect();
    await auth.stop();
  }
});

test('accepts a token signed with a key that another replica has just created', async () => {
  const auth = await startAuth();
  const { identify } = callsOf(auth);
  try {
    const { accessToken } = await auth.register('early');
    expect(await identify(accessToken)).toBe('OK');
    const key = await generateSigningKey();
    const { iss, sub, sid, iat, exp } = decodeJwt(accessToken);
    const token = await new SignJWT({ iss, sub, sid, iat, exp } as JWTPayload)
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid ?? '', typ: 'at+jwt' })
      .sign(await importJWK(key, 'EdDSA'));
    auth.clock.advance(1001);
    expect(await identify(token)).toBe(invalid);
    const createdAt = new Date(auth.clock.now());
    await auth.database.admin.query(
      sql`INSERT INTO signing_keys (kid, jwk, created_at) VALUES (${key.kid}, ${json(key)}, ${createdAt})`,
    );
    auth.clock.advance(1001);
    expect([await identify(token), await identify(accessToken)]).toEqual(['OK', 'OK']);
  } finally {
    await auth.stop();
  }
});
