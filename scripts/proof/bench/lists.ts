// `make bench-lists`: starts a platform with 10,000 users, 100,000 jobs and 2,000,000 hands. Measures every list call through the
// gateway and reports sequential scans of large tables. Then plays matches and measures how long it takes to store and accept one.
// USERS, JOBS, REQUESTS, MATCHES; RESULTS=file.json: appends the figures.

import { appendFileSync } from 'node:fs';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { Api } from '../../demo/api.ts';
import { seedLarge } from '../../seed-large/seed.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { measureAcceptance } from './acceptance.ts';
import { BenchRun } from './bench-run.ts';
import { listCalls } from './list-calls.ts';
import { quantile } from './spread.ts';

const jobs = Number(process.env.JOBS ?? 100_000);
const sizes = { users: Number(process.env.USERS ?? 10_000), jobs, audits: 2 * jobs, pausedBatch: true };
const requests = Number(process.env.REQUESTS ?? 60);
const matches = Number(process.env.MATCHES ?? 3);
const targetMs = 100;
// For smaller tables a sequential scan is as fast as an index.
const largeRows = 15_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

type Scans = Map<string, { scans: number; rows: number }>;

// A PostgreSQL backend that becomes idle right after a report of its statistics delays the next report by this time.
const lastReportMs = 11_000;

/** Returns the number of sequential scans of each large table. Active backends report their counts every second. */
async function readScans(client: pg.Client): Promise<Scans> {
  await new Promise((next) => setTimeout(next, 1200));
  const { rows } = await client.query<{ name: string; scans: string; rows: string }>(
    sql`SELECT schemaname || '.' || relname AS name, seq_scan AS scans, n_live_tup AS rows
        FROM pg_stat_user_tables WHERE n_live_tup >= ${largeRows}`,
  );
  return new Map(rows.map((row) => [row.name, { scans: Number(row.scans), rows: Number(row.rows) }]));
}

function findNewScans(before: Scans, after: Scans): string[] {
  return [...after].filter(([name, { scans }]) => scans > (before.get(name)?.scans ?? 0)).map(([name]) => name);
}

interface Result {
  readonly path: string;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly kib: number;
  readonly scanned: readonly string[];
}

async function measure(origin: string, paths: readonly string[], token: string, client: pg.Client): Promise<Result> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const times: number[] = [];
  let bytes = 0;
  const request = async (path: string, counted: boolean) => {
    const startedMs = performance.now();
    const response = await fetch(`${origin}${path}`, { headers });
    const body = await response.arrayBuffer();
    if (!response.ok)
      throw new Error(`${path} returned ${response.status}: ${Buffer.from(body).toString('utf8', 0, 300)}`);
    if (counted) times.push(performance.now() - startedMs);
    bytes = Math.max(bytes, body.byteLength);
  };
  for (let warm = 0; warm < 5; warm++) await request(paths[warm % paths.length] ?? '', false);
  const before = await readScans(client);
  for (let count = 0; count < requests; count++) await request(paths[count % paths.length] ?? '', true);
  const scanned = findNewScans(before, await readScans(client));
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return { path: paths[0] ?? '', p50, p95, max: Math.max(...times), kib: bytes / 1024, scanned };
}

async function bench(): Promise<void> {
  const run = await BenchRun.start("Lists of an event's size");
  const figures: string[] = [];
  print('starting a platform of its own ...');
  const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1' });
  const { origin } = platform;
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  try {
    await seedLarge(platform.databaseUrl(), sizes, print);
    await client.connect();
    const { token = '' } = await new Api(origin).signIn(platform.admin);
    const lists = await listCalls(client, sizes.jobs);
    const results: Result[] = [];
    // Waits for the late reports of scans during seeding, which must not be attributed to a list.
    await new Promise((next) => setTimeout(next, lastReportMs));
    const scansBefore = await readScans(client);
    for (const paths of lists) results.push(await measure(origin, paths, token, client));
    figures.push(
      `${requests} requests each, over several pages`,
      '',
      '| call | p50 ms | p95 ms | slowest ms | KiB | sequential scans |',
      '| --- | --- | --- | --- | --- | --- |',
    );
    for (const { path, p50, p95, max, kib, scanned } of results) {
      const mark = p95 > targetMs ? ' (!)' : '';
      const times = `${p50.toFixed(1)} | ${p95.toFixed(1)}${mark} | ${max.toFixed(1)}`;
      figures.push(`| ${path} | ${times} | ${kib.toFixed(0)} | ${scanned.join(', ')} |`);
    }
    await new Promise((next) => setTimeout(next, lastReportMs));
    const scanned = findNewScans(scansBefore, await readScans(client));
    figures.push('', `- large tables with sequential scans in the whole run: ${scanned.join(', ') || 'none'}`);
    const acceptance = await measureAcceptance(platform, matches);
    for (const [call, ms] of Object.entries(acceptance.meanMs)) {
      figures.push(`- ${call}: mean ${ms.toFixed(1)} ms over ${acceptance.matches} matches of 1,000 hands`);
    }
    if (process.env.RESULTS) {
      appendFileSync(process.env.RESULTS, `${JSON.stringify({ sizes, results, acceptance })}\n`);
    }
    const slow = results.filter((result) => result.p95 > targetMs).length;
    figures.push(`- ${results.length - slow} of ${results.length} within ${targetMs} ms at p95`);
  } finally {
    await client.end().catch(() => undefined);
    await platform.stop();
  }
  await run.finish(figures.join('\n'));
}

bench().catch((error: unknown) => {
  process.stderr.write(`bench-lists: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
