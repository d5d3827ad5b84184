// The restore drill of docs/operations.md: backs up a real platform during a match and restores it into another folder.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { raw, sql, texts } from '@husky/runtime/database/sql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerVerified, submitFinal } from '../demo/accounts.ts';
import { Api } from '../demo/api.ts';
import { waitUntilFinished } from '../demo/wait-until-finished.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { backUp } from './backup.ts';
import { trailer } from './manifest.ts';
import { restore, verifyBackup } from './restore.ts';

const hands = 200;
let folder: string;
let archive: string;
let platform: OwnPlatform | undefined;
let finished: string;
let running: string;
let before: Map<string, string[]>;

/** Columns that change while the platform runs. */
const changing: Readonly<Record<string, readonly string[]>> = {
  'auth.notice_queues': ['due_at', 'last_sent_at', 'mail_id', 'tries'],
  'auth.notices': ['held', 'outcome', 'mail_id', 'ended_at'],
  'live_data.match_totals': ['matches', 'hands'],
  'live_data.player_totals': ['matches', 'public_matches'],
  'simulation.chain_checks': ['checked_at', 'verified_number', 'verified_hash', 'verified_at'],
  'simulation.queue_classes': ['pass', 'served_tag'],
  'simulation.runners': ['state', 'job_id', 'version', 'hands_per_second', 'last_seen', 'totals'],
  'submission.blobs': ['touched_at'],
  'submission.bots': ['touched_at'],
};

const quiet = () => undefined;
const variablesOf = (dataDir: string) => ({ ...withoutLimits, DATA_DIR: dataDir, POOL_SIZE: '3' });

/** Returns a hash of each row, without columns that change, by table. Without outboxes and queues, whose rows leave when they are served. */
async function hashRows(url: string): Promise<Map<string, string[]>> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename NOT IN ('outbox', 'queue_owners') ORDER BY name`,
    );
    const hashes = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ hash: string }>(
        sql`SELECT md5((to_jsonb(of_table) - ${texts(changing[name] ?? [])})::text) AS hash FROM ${raw(name)} AS of_table`,
      );
      hashes.set(
        name,
        rows.map(({ hash }) => hash),
      );
    }
    return hashes;
  } finally {
    await client.end();
  }
}

/** Returns the number of rows that are no longer there, by table. */
function countMissing(before: Map<string, string[]>, after: Map<string, string[]>): Record<string, number> {
  const missing: Record<string, number> = {};
  for (const [table, hashes] of before) {
    const left = new Set(after.get(table));
    const count = hashes.filter((hash) => !left.has(hash)).length;
    if (count > 0) missing[table] = count;
  }
  return missing;
}

async function signInAsAdmin({ origin, admin }: OwnPlatform): Promise<Api> {
  const guest = new Api(origin);
  return guest.signIn(admin);
}

const maxMatchMs = 180_000;

/** Verifies commitment, seed and every hand of a match as docs/fairness.md describes. */
function verifyMatch(origin: string, jobId: string): string {
  const script = join(import.meta.dirname, '../../docs/verify_match.py');
  return execFileSync('python3', [script, origin, jobId], { encoding: 'utf8' });
}

beforeAll(async () => {
  // A short path, because runners put sockets into it; readable, because PostgreSQL may run as another user.
  folder = mkdtempSync(join(tmpdir(), 'husky-b-'));
  chmodSync(folder, 0o755);
  archive = join(folder, 'platform.tar.zst');
  platform = await startOwnPlatform(variablesOf(join(folder, 'data')));
  const admin = await signInAsAdmin(platform);
  const users: string[] = [];
  for (let seat = 1; seat <= 6; seat++) {
    const username = `kept-${seat}`;
    await submitFinal(await registerVerified(admin, username), 'calling-station');
    users.push(username);
  }
  const start = async (num_rounds: number) =>
    (await admin.post<{ job_id: string }>('/sim/async_run_user', { users_list: users, num_rounds })).job_id;
  finished = await start(hands);
  await waitUntilFinished(admin, finished, maxMatchMs);
  await admin.post(`/admin/toggle-job-public/${finished}`, { is_public: true });
  // The test runs of the uploads end, too.
  const statuses = async () =>
    (await admin.get<{ status: string }[]>('/admin/jobs?order=running')).map(({ status }) => status);
  await vi.waitFor(async () => expect(await statuses()).not.toContainEqual(expect.stringMatching(/Pending|Running/)), {
    timeout: 60_000,
    interval: 500,
  });
  before = await hashRows(platform.databaseUrl());
  running = await start(3000);
  await backUp(platform.dataDir, archive, quiet);
}, 240_000);

afterAll(async () => {
  await platform?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test('writes an archive with mode 0600 that matches its manifest', async () => {
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  const lines: string[] = [];
  await verifyBackup(archive, (line) => lines.push(line));
  expect(lines.at(-1)).toMatch(/^verified \d+ files/);
  await expect(backUp(join(folder, 'data'), archive, quiet)).rejects.toThrow('exists already');
});

test('restores every row and file: matches can be verified, the match in play finishes, sign-in works', async () => {
  await platform?.stop();
  platform = undefined;
  const dataDir = join(folder, 'restored');
  await restore(archive, dataDir, quiet);
  for (const name of readdirSync(join(dataDir, 'secrets'))) {
    if (!statSync(join(dataDir, 'secrets', name)).isFile()) continue;
    expect(readFileSync(join(dataDir, 'secrets', name))).toEqual(readFileSync(join(folder, 'data/secrets', name)));
    expect(statSync(join(dataDir, 'secrets', name)).mode & 0o077).toBe(0);
  }
  platform = await startOwnPlatform(variablesOf(dataDir));
  expect(countMissing(before, await hashRows(platform.databaseUrl()))).toEqual({});
  expect(verifyMatch(platform.origin, finished)).toContain(`verified: ${hands} hands`);
  const admin = await signInAsAdmin(platform);
  await waitUntilFinished(admin, running, maxMatchMs);
  await admin.post(`/admin/toggle-job-public/${running}`, { is_public: true });
  expect(verifyMatch(platform.origin, running)).toMatch(/^verified: \d+ hands/);
}, 240_000);

test('refuses a folder that is not empty and leaves it unchanged', async () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine'), 'mine');
  await expect(restore(archive, full, quiet)).rejects.toThrow('is not empty');
  expect(readdirSync(full)).toEqual(['mine']);
});

function changeSecret(bytes: Buffer): Buffer {
  const tar = zstdDecompressSync(bytes.subarray(0, bytes.length - trailer.length));
  // The content of a file follows its header of 512 bytes.
  const content = tar.indexOf('secrets/admin-password') + 512;
  tar[content] = (tar[content] ?? 0) ^ 1;
  return Buffer.concat([zstdCompressSync(tar), trailer]);
}

const damages: [string, (bytes: Buffer) => Buffer, RegExp][] = [
  ['truncated in the middle', (bytes) => bytes.subarray(0, bytes.length / 2), /truncated/],
  ['truncated at its end', (bytes) => bytes.subarray(0, bytes.length - 1), /truncated/],
  ['with changed bytes', (bytes) => bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 64), /damaged/],
  ['with a changed file', changeSecret, /was changed: secrets\/admin-password has another SHA-256/],
  ['of another kind', () => Buffer.from('not an archive'), /is not a backup/],
  ['that is empty', () => Buffer.alloc(0), /is not a backup/],
];

test.each(damages)(
  'refuses an archive %s and leaves no folder',
  async (_case, damage, sentence) => {
    const damaged = join(folder, 'damaged.tar.zst');
    copyFileSync(archive, damaged);
    writeFileSync(damaged, damage(readFileSync(archive)));
    const target = mkdtempSync(join(folder, 'target-'));
    rmdirSync(target);
    await expect(restore(damaged, target, quiet)).rejects.toThrow(sentence);
    expect(readdirSync(folder)).not.toContain(basename(target));
  },
  60_000,
);
