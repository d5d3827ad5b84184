// `make drill-batch`: starts a platform and kills simulation, leaderboard and live-data during a batch and its publication.
// The batch must finish with every job played and counted exactly once.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { Api } from '../demo/api.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../up/own-platform.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'pot-odds', 'position-aware', 'pressure', 'house'];
const maxWaitMs = 15 * 60_000;
const root = resolve(import.meta.dirname, '../..');
const say = (line: string) => process.stdout.write(`${line}\n`);

function expect(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(sentence);
}

/** Retries for up to 60 s while a killed service restarts; then throws the last error. */
async function withRetry<T>(call: () => Promise<T>): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((next) => setTimeout(next, 300));
    }
  }
}

async function player(api: Api, admin: Api, bot: string): Promise<string> {
  const username = `drill-${bot}`;
  const account = { username, email: `${username}@drill.invalid`, password: 'a password of a drill' };
  const { access_token } = await api.post<{ access_token: string }>('/auth/register', account);
  await admin.post(`/admin/verify-user/${username}`);
  const read = (name: string) => ({ name, text: readFileSync(join(root, 'services/runner/bots', bot, name), 'utf8') });
  const own = api.as(access_token);
  const { submission_id } = await own.upload<{ submission_id: string }>('/submission/upload', {
    playerFile: read('player.py'),
    requirementsFile: read('requirements.txt'),
  });
  await own.post('/submission/mark_final', { submission_id });
  return username;
}

function kill(platform: OwnPlatform, service: string): void {
  const pid = platform.pidOf(service);
  if (pid === undefined) throw new Error(`${service} does not run`);
  process.kill(pid, 'SIGKILL');
  say(`  ${service} (process ${pid}) is killed`);
}

interface Batch {
  job_statuses: Record<'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED', number>;
  total_jobs: number;
  generated_jobs: number;
}

async function drill(): Promise<void> {
  say('starting a platform ...');
  const platform = await startOwnPlatform(withoutLimits);
  const api = new Api(platform.origin);
  try {
    const { access_token } = await api.post<{ access_token: string }>('/auth/login', platform.admin);
    const admin = api.as(access_token);
    const users: string[] = [];
    for (const bot of bots) users.push(await player(api, admin, bot));
    const { batch_id } = await admin.post<{ batch_id: string }>('/llm/batch-run', { users_list: users });
    say(`batch ${batch_id} of ${users.length} users runs`);
    const path = `/llm/batch/${batch_id}`;
    const toKill = ['simulation', 'live-data', 'leaderboard', 'simulation', 'live-data'];
    const began = Date.now();
    let killedAt = 0;
    let batch: Batch;
    for (;;) {
      batch = await withRetry(() => admin.get<Batch>(path));
      const { PENDING, RUNNING, FINISHED, FAILED } = batch.job_statuses;
      if (batch.generated_jobs === batch.total_jobs && PENDING + RUNNING === 0) break;
      expect(FAILED === 0, `${FAILED} matches have failed`);
      expect(Date.now() - began < maxWaitMs, 'the batch has not finished in time');
      if (RUNNING > 0 && Date.now() - killedAt > 5000) {
        const next = toKill.shift();
        if (next) {
          say(`  ${FINISHED}/${batch.total_jobs} finished, ${RUNNING} running`);
          kill(platform, next);
          killedAt = Date.now();
        }
      }
      await new Promise((next) => setTimeout(next, 250));
    }
    const { FINISHED } = batch.job_statuses;
    say(`all ended after ${((Date.now() - began) / 1000).toFixed(0)} s: ${FINISHED} of ${batch.total_jobs} finished`);
    expect(FINISHED === batch.total_jobs && batch.total_jobs === 7, 'not every match has finished');

    // Interrupts the publication at an arbitrary point, too.
    const publishing = admin.post(`/llm/process-batch/${batch_id}`).catch(() => undefined);
    kill(platform, 'leaderboard');
    await publishing;
    await withRetry(() => admin.post(`/llm/process-batch/${batch_id}`));
    const arena = await withRetry(() => admin.get<{ all_added: boolean; jobs_added: number }>(`${path}/arena-status`));
    expect(arena.all_added && arena.jobs_added === 7, 'not every job is on the leaderboard');
    await check(platform, admin, path, users);
  } finally {
    await platform.stop();
  }
}

/** Verifies that every hand is stored once, results come from the accepted attempts only, and scores are their sums. */
async function check(platform: OwnPlatform, admin: Api, path: string, users: readonly string[]): Promise<void> {
  const { jobs } = await withRetry(() =>
    admin.get<{ jobs: { job_id: string; result_data: Record<string, number>; hands_done: number }[] }>(
      `${path}/jobs?page_size=100`,
    ),
  );
  const sums = new Map<string, number>();
  for (const job of jobs) {
    const { games } = await admin.get<{ games: { game_uuid: string }[] }>(`/live/job/${job.job_id}/games`);
    expect(games.length === job.hands_done, `match ${job.job_id} has ${games.length} games, not ${job.hands_done}`);
    const series = await admin.get<Record<string, number[]>>(`/live/job/${job.job_id}/user-performance`);
    for (const [name, delta] of Object.entries(job.result_data)) {
      expect(series[name]?.at(-1) === delta, `the games of ${job.job_id} do not add up to its result`);
      sums.set(name, (sums.get(name) ?? 0) + delta);
    }
  }
  const { top_entries } = await admin.get<{ top_entries: { username: string; score: number }[] }>(
    '/leaderboard/top/100?tag=llm-batch',
  );
  expect(top_entries.length === users.length, `${top_entries.length} entries, not ${users.length}`);
  for (const { username, score } of top_entries) {
    expect(score === sums.get(username), `${username} has ${score}, its matches give ${sums.get(username)}`);
  }
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ lost: number; attempts: number }>(
    `SELECT (count(*) FILTER (WHERE outcome = 'LOST'))::int AS lost, count(*)::int AS attempts FROM simulation.attempts`,
  );
  await client.end();
  say(`${rows[0]?.attempts} attempts, ${rows[0]?.lost} lost; 7 matches whole, each counted once, scores to the cent`);
}

drill().catch((error: unknown) => {
  process.stderr.write(`drill-batch: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
