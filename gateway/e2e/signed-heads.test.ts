// A participant's kit against an operator who rewrites the chain, or exchanges the key, in the database.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordText, sha256Hex } from '@husky/match/commitment';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { sql } from '@husky/runtime/database/sql';
import { run } from '@husky/testkit/program';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import { installedKit } from '../../services/kit/test/installed-kit.ts';
import * as client from './client.ts';

let own: OwnPlatform;
let database: pg.Client;
let folder: string;
let husky: (...args: string[]) => ReturnType<typeof run>;
let match: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-heads-'));
  own = await startOwnPlatform(withoutLimits);
  client.usePlatform({ origin: own.origin, dataDir: own.dataDir, adminPassword: own.admin.password });
  database = new pg.Client(connectionOptions(own.databaseUrl()));
  await database.connect();
  await database.query('SET search_path TO simulation');
  const bin = await installedKit();
  const { token } = await client.registerVerified(client.uniqueName('participant'));
  const body = { name: 'kit', scopes: ['read', 'submit'], expires_in_days: 7 };
  const { secret } = client.expectStatus(await client.post('/auth/tokens', body, token), 201);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    LANG: 'C.UTF-8',
    HUSKY_SITE: own.origin,
    HUSKY_TOKEN: secret,
  };
  husky = (...args) => run(join(bin, 'husky'), args, { cwd: folder, env });
  expect(await husky('new', 'mine')).toMatchObject({ code: 0 });
}, 300_000);

afterAll(async () => {
  await database?.end();
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Plays a test run with the kit and downloads its match. */
async function play(): Promise<string> {
  const played = await husky('test', 'mine', '--json');
  expect(played, played.stderr).toMatchObject({ code: 0 });
  const { job_id: job } = JSON.parse(played.stdout);
  const downloaded = await husky('download', job);
  expect(downloaded, downloaded.stderr).toMatchObject({ code: 0 });
  return `match-${job}.jsonl`;
}

/** Changes records, and makes all after them again, as an operator can who owns the database. */
async function rewriteChain(change: (number: number) => object): Promise<void> {
  const { rows } = await database.query(
    'SELECT number::int, seeds, job_hash AS "jobHash", commitment, made_at AS "madeAt" FROM commitments ORDER BY number',
  );
  await database.query('ALTER TABLE commitments DISABLE TRIGGER commitments_append_only');
  let previous = '0'.repeat(64);
  for (const row of rows) {
    const record = { ...row, ...change(row.number), previous, time: row.madeAt.toISOString() };
    const hash = sha256Hex(recordText(record));
    await database.query(
      sql`UPDATE commitments SET commitment = ${record.commitment}, previous = ${previous}, hash = ${hash} WHERE number = ${row.number}`,
    );
    previous = hash;
  }
  await database.query('ALTER TABLE commitments ENABLE TRIGGER commitments_append_only');
  await database.query(
    sql`UPDATE chain_checks SET verified_hash = ${previous}, verified_number = ${rows.length}, problem = ''`,
  );
}

test('a kit keeps the heads of its uploads, and finds chain and files as they were signed', async () => {
  match = await play();
  const submitted = await husky('submit', 'mine', '--json');
  expect(submitted, submitted.stderr).toMatchObject({ code: 0, stderr: '' });
  const { keys, number } = client.expectStatus(await client.get('/live/signed-head'), 200);
  const { code, stdout, stderr } = await husky('verify', match);
  expect(stdout + stderr).toContain(`Signed by the site with the key ${keys[0].key}.`);
  expect(stdout).toContain(`The chain of ${own.origin} has not changed since this kit saw it: records `);
  expect(stdout).toContain(` to ${number}.`);
  expect(code).toBe(0);
});

test('a file that was changed after it was signed is refused', async () => {
  const changed = readFileSync(join(folder, match), 'utf8').replace(/"made_at":"..../, '"made_at":"1999');
  writeFileSync(join(folder, 'changed.jsonl'), changed);
  const { code, stderr } = await husky('verify', 'changed.jsonl');
  expect(stderr).toContain('changed.jsonl is not verified. signature: its signature is that of another content.');
  expect(code).toBe(1);
});

test('the kit follows a key that the old one has named', async () => {
  const admin = await client.adminToken();
  const { keys } = client.expectStatus(await client.get('/live/signed-head'), 200);
  const body = { key: keys[0].key };
  const after = client.expectStatus(await client.post('/admin/signing-key', body, admin), 200);
  expect(client.expectStatus(await client.post('/admin/signing-key', body, admin), 409).reason).toBe(
    'signing-key-changed',
  );
  const next = await play();
  const { code, stdout, stderr } = await husky('verify', next);
  expect(stdout + stderr).toContain(`Signed by the site with the key ${after.keys[1].key}.`);
  expect(stdout).toContain('has not changed since this kit saw it');
  expect(code).toBe(0);
  expect(await husky('verify', match)).toMatchObject({ code: 0 });
});

test('a rewritten chain is found by the kit that uploaded before, and proven to others', async () => {
  await rewriteChain((number) => (number === 1 ? { commitment: sha256Hex('another') } : {}));
  // A visitor who keeps nothing of the site sees an intact chain.
  const { check, commitments } = client.expectStatus(await client.get('/live/commitments?limit=1000'), 200);
  expect(check.problem).toBeNull();
  const { code, stderr } = await husky('verify', match);
  expect(stderr).toMatch(
    /The site has signed the head of record \d+ \([0-9a-f]{64}\) and, for the same record, [0-9a-f]{64}/,
  );
  expect(code).toBe(1);
  await play();
  const later = await husky('verify', match);
  expect(later.stderr).toMatch(/and a head of record \d+ that follows from another record \d+/);
  expect(later.code).toBe(1);
  const file = / are in (\S+[.]json): keep that file/.exec(later.stderr)?.[1] ?? '';
  expect(existsSync(file)).toBe(true);
  const proven = await husky('verify', file, '--json');
  expect(JSON.parse(proven.stdout)).toMatchObject({
    proven: true,
    shown: expect.stringContaining('has signed the head'),
  });
  const proof = JSON.parse(readFileSync(file, 'utf8'));
  for (const change of [{ signed_now: proof.signed_before }, { records: commitments }, { keys: [] }]) {
    writeFileSync(join(folder, 'proof.json'), JSON.stringify({ ...proof, ...change }));
    expect(await husky('verify', 'proof.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('proves nothing'),
    });
  }
});

test.each([
  ['beside the old one', ''],
  ['in the place of all others', 'DELETE FROM signing_keys'],
])('a key that the operator adds %s, without a signature of the old one, is an alarm', async (_, removal) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  await database.query('BEGIN');
  const { rows } = await database.query('SELECT * FROM signing_keys ORDER BY number DESC LIMIT 1');
  await database.query(removal);
  await database.query(
    sql`INSERT INTO signing_keys (number, name, public_key, private_key, change, made_at)
        VALUES (${rows[0].number + 1}, ${rows[0].name}, ${Buffer.from(x, 'base64url')}, ${der}, ${rows[0].change}, now())`,
  );
  await database.query('COMMIT');
  const alarm = 'which has not named it: the key was exchanged, or another site answers.';
  expect(await husky('verify', match)).toMatchObject({ code: 1, stderr: expect.stringContaining(alarm) });
  expect(await husky('submit', 'mine')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Warning: The site signs`),
  });
});
