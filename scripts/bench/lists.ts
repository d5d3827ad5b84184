// `make bench-lists`: starts a platform with 10,000 users, 100,000 jobs and 2,000,000 games. Measures every list call through the
// gateway, and lists the large tables with sequential scans. Then plays matches and measures what storing and accepting one takes.
// USERS, JOBS, REQUESTS, MATCHES; RESULTS=file.json: appends the figures.
import { appendFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import pg from 'pg';
import { seedLarge } from '../seed-large/seed.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { measureAcceptance } from './acceptance.ts';

const sizes = { users: Number(process.env.USERS ?? 10_000), jobs: Number(process.env.JOBS ?? 100_000), audits: 0 };
sizes.audits = 2 * sizes.jobs;
const requests = Number(process.env.REQUESTS ?? 60);
const matches = Number(process.env.MATCHES ?? 3);
const targetMs = 100;
// A sequential scan of a smaller table is as fast as an index.
const largeRows = 15_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

type Scans = Map<string, { scans: number; rows: number }>;

// PostgreSQL: a backend that becomes idle right after a report delays its next report for this long.
const lastReportMs = 11_000;

/** Returns the number of sequential scans of each large table. Active backends report their counts every second. */
async function scansOf(client: pg.Client): Promise<Scans> {
  await new Promise((next) => setTimeout(next, 1200));
  const { rows } = await client.query<{ name: string; scans: string; rows: string }>(
    `SELECT schemaname || '.' || relname AS name, seq_scan AS scans, n_live_tup AS rows FROM pg_stat_user_tables WHERE n_live_tup >= $1`,
    [largeRows],
  );
  return new Map(rows.map((row) => [row.name, { scans: Number(row.scans), rows: Number(row.rows) }]));
}

function newScans(before: Scans, after: Scans): string[] {
  return [...after].filter(([name, { scans }]) => scans > (before.get(name)?.scans ?? 0)).map(([name]) => name);
}

interface Result {
  readonly path: string;
  readonly p50: number;
  readonly p95: number;
  readonly kib: number;
  readonly scanned: readonly string[];
}

async function measure(origin: string, paths: readonly string[], token: string, client: pg.Client): Promise<Result> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const times: number[] = [];
  let bytes = 0;
  const request = async (path: string, counted: boolean) => {
    const began = performance.now();
    const response = await fetch(`${origin}${path}`, { headers });
    const body = await response.arrayBuffer();
    if (!response.ok)
      throw new Error(`${path} returned ${response.status}: ${Buffer.from(body).toString('utf8', 0, 300)}`);
    if (counted) times.push(performance.now() - began);
    bytes = Math.max(bytes, body.byteLength);
  };
  for (let warm = 0; warm < 5; warm++) await request(paths[warm % paths.length] ?? '', false);
  const before = await scansOf(client);
  for (let count = 0; count < requests; count++) await request(paths[count % paths.length] ?? '', true);
  const scanned = newScans(before, await scansOf(client));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { path: paths[0] ?? '', p50: at(0.5), p95: at(0.95), kib: bytes / 1024, scanned };
}

async function bench(): Promise<void> {
  say('starting a platform of its own ...');
  const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1' });
  const { origin } = platform;
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  try {
    await seedLarge(platform.databaseUrl(), sizes, say);
    await client.connect();
    const login = await fetch(`${origin}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(platform.admin),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const first = async <T>(sql: string) => (await client.query<{ value: T }>(sql)).rows.map((row) => row.value);
    const [job = ''] = await first<string>(
      "SELECT id AS value FROM simulation.jobs WHERE state = 'FINISHED' AND kind = 'BATCH_MATCH' LIMIT 1",
    );
    const [batch = ''] = await first<string>(
      'SELECT id AS value FROM simulation.batches ORDER BY batch_number LIMIT 1',
    );
    const game = `${job.slice(0, 24)}000100000001`;
    const pages = (path: string, size: number, maxPages: number) => {
      const joint = path.includes('?') ? '&' : '?';
      return [1, 2, 3, Math.ceil(maxPages / 2), maxPages].map(
        (page) => `${path}${joint}page=${page}&page_size=${size}`,
      );
    };
    const lists: string[][] = [
      pages('/admin/jobs', 100, 900),
      ['/admin/jobs'],
      pages('/admin/jobs?status=Failed', 100, 9),
      [`/admin/jobs?q=${job.slice(0, 6)}&page_size=50`],
      pages('/admin/sim-admin-jobs', 100, 90),
      pages('/admin/scaling-jobs', 100, 40),
      ['/admin/job-count'],
      ['/admin/user-count'],
      ['/admin/submission-count'],
      pages('/admin/users', 100, 90),
      pages('/admin/users?q=player_9', 100, 5),
      pages('/admin/users?status=unverified', 100, 4),
      pages('/user/all', 25, 380),
      ['/user/search?q=ada', '/user/search?q=player_77', '/user/search?q=zzz'],
      pages('/live/job-ids', 100, 900),
      pages('/live/job-ids?order=oldest', 100, 900),
      pages('/live/public-job-ids/paginated', 100, 150),
      ['/live/public-job-ids'],
      [`/live/job/${job}/games`],
      [`/live/job/${job}/user-performance`],
      [`/live/game/${game}`],
      [`/llm/game-log/${game}/batch-order`],
      ['/llm/batches'],
      [`/llm/batch/${batch}`],
      pages(`/llm/batch/${batch}/jobs`, 100, 17),
      [`/llm/batch/${batch}/arena-status`],
      ['/leaderboard/top/100'],
      ['/leaderboard/top/100?tag=2025'],
      ['/leaderboard/top/20?tag=llm-batch'],
      ['/leaderboard/tags'],
      ['/leaderboard/user/Player_42'],
      ['/profile/Player_42'],
      ['/submission/users/with-final'],
      ['/sim/status/all'],
      pages('/admin/audit', 50, 1000),
      pages('/admin/audit?actor=Player_42', 50, 1),
      pages('/admin/audit?action=user.role_changed', 50, 200),
      ['/admin/audit?q=player', '/admin/audit?q=role_changed', '/admin/audit?q=10.0.7'],
    ];
    const results: Result[] = [];
    // Scans of the seeding are reported late and must not be attributed to a list.
    await new Promise((next) => setTimeout(next, lastReportMs));
    const atFirst = await scansOf(client);
    for (const paths of lists) results.push(await measure(origin, paths, token, client));
    say(`\n${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${requests} requests each, over several pages`);
    say('| call | p50 ms | p95 ms | KiB | read from end to end |');
    say('| --- | --- | --- | --- | --- |');
    for (const { path, p50, p95, kib, scanned } of results) {
      const mark = p95 > targetMs ? ' (!)' : '';
      say(`| ${path} | ${p50.toFixed(1)} | ${p95.toFixed(1)}${mark} | ${kib.toFixed(0)} | ${scanned.join(', ')} |`);
    }
    await new Promise((next) => setTimeout(next, lastReportMs));
    const scanned = newScans(atFirst, await scansOf(client));
    say(`large tables read from end to end by all of this: ${scanned.join(', ') || 'none'}`);
    const acceptance = await measureAcceptance(platform, matches);
    for (const [call, ms] of Object.entries(acceptance.meanMs)) {
      say(`${call}: mean ${ms.toFixed(1)} ms over ${acceptance.matches} matches of 1,000 hands`);
    }
    if (process.env.RESULTS) {
      appendFileSync(process.env.RESULTS, `${JSON.stringify({ sizes, load: loadavg(), results, acceptance })}\n`);
    }
    const slow = results.filter((result) => result.p95 > targetMs).length;
    say(`\n${results.length - slow} of ${results.length} within ${targetMs} ms at p95`);
  } finally {
    await client.end().catch(() => undefined);
    await platform.stop();
  }
}

bench().catch((error: unknown) => {
  process.stderr.write(`bench-lists: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
