// `make bench-batch`: processor time and storage of a batch by part of the platform. MODELS (8) bots play every table of six, or the first
// MATCHES tables, on a platform of its own; 13 models are a benchmark night of 1,716 matches.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { registerVerified, uploadFinal } from '../../../demo/accounts.ts';
import { Api } from '../../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../../up/own-platform.ts';
import { partsWithRunners, sample } from '../../load/processor-time.ts';
import { startBench } from '../bench-run.ts';
import { readStored } from '../storage.ts';

/** The models' bots with their requirements. */
const kinds = [
  ['thresholds', ''],
  ['rollouts', 'eval7==0.1.11'],
  ['tracker', ''],
  ['weights', 'numpy>=1.26'],
] as const;
const progressMs = 10_000;
const nightMatches = 1716;

const finish = await startBench();
const platform = await startOwnPlatform(withoutLimits);
const database = new pg.Pool({ connectionString: platform.databaseUrl(), max: 1 });
const read = async (sql: string) => Number((await database.query<{ value: string }>(sql)).rows[0]?.value);
const countMatches = (status: string) =>
  read(`SELECT count(*) AS value FROM live_data.matches WHERE status = '${status}'`);

async function addModel(admin: Api, username: string, at: number): Promise<void> {
  const [kind, requirements] = kinds[at % kinds.length] ?? kinds[0];
  const source = readFileSync(join(import.meta.dirname, 'bots', `${kind}.py`), 'utf8');
  await uploadFinal(await registerVerified(admin, username), source, requirements);
}

/** Starts a batch. When `wanted` matches have finished, pauses it and waits for those in play. Throws if one has failed. */
async function play(admin: Api, users: readonly string[], wanted = Number.POSITIVE_INFINITY): Promise<void> {
  const { batch_id, total_jobs } = await admin.post<{ batch_id: string; total_jobs: number }>('/llm/batch-run', {
    users_list: users,
  });
  const matches = Math.min(wanted, total_jobs);
  const before = await countMatches('Finished');
  let shownMs = performance.now();
  let paused = false;
  for (let finished = 0; finished < matches || (await countMatches('Running')) > 0; ) {
    await pause(500);
    finished = (await countMatches('Finished')) - before;
    if (performance.now() - shownMs > progressMs) {
      shownMs = performance.now();
      process.stdout.write(`${finished}/${matches} matches\n`);
    }
    if (!paused && matches <= finished && finished < total_jobs) {
      await admin.post(`/llm/batch/${batch_id}/pause`);
      paused = true;
    }
    const failed = await countMatches('Failed');
    if (failed > 0) throw new Error(`${failed} matches have failed`);
  }
}

/** Returns what the platform has used since its start. */
async function readUsage() {
  const { atMs, seconds } = sample(partsWithRunners(platform));
  return {
    atMs,
    seconds,
    matches: await countMatches('Finished'),
    ...(await readStored(database)),
    walBytes: await read("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS value"),
    transactions: await read('SELECT xact_commit AS value FROM pg_stat_database WHERE datname = current_database()'),
  };
}

async function bench(): Promise<string> {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users = Array.from({ length: Number(process.env.MODELS ?? 8) }, (_, at) => `model-${at + 1}`);
  for (const [at, name] of users.entries()) await addModel(admin, name, at);
  const before = await readUsage();
  await play(admin, users, process.env.MATCHES ? Number(process.env.MATCHES) : undefined);
  const after = await readUsage();
  const [matches, hands] = [after.matches - before.matches, after.hands - before.hands];
  const wallS = (after.atMs - before.atMs) / 1000;
  const parts = [...after.seconds]
    .map(([name, used]): [string, number] => [name, used - (before.seconds.get(name) ?? 0)])
    .sort(([, a], [, b]) => b - a);
  const totalS = parts.reduce((sum, [, used]) => sum + used, 0);
  const seatsS = parts.find(([name]) => name === 'seats')?.[1] ?? 0;
  const nightMinutes = (seconds: number) => ((nightMatches * seconds) / matches / 60).toFixed(0);
  return [
    `- ${matches} matches, ${hands} hands in ${wallS.toFixed(0)} s: ${(hands / wallS).toFixed(0)} hands/s`,
    `- processor time of a match: ${(totalS / matches).toFixed(2)} s, of which the bots (seats) ${((100 * seatsS) / totalS).toFixed(0)} %`,
    ...parts.map(([name, used]) => `  - ${name}: ${((1000 * used) / matches).toFixed(0)} ms`),
    `- stored ${((after.bytes - before.bytes) / hands).toFixed(0)} bytes a hand, write-ahead log ${((after.walBytes - before.walBytes) / hands).toFixed(0)}, ` +
      `${((after.transactions - before.transactions) / matches).toFixed(0)} transactions a match`,
    `- ${nightMatches} matches take ${nightMinutes(wallS)} minutes at this speed, ` +
      `${nightMinutes(totalS / availableParallelism())} if all ${availableParallelism()} processors did nothing else`,
  ].join('\n');
}

const figures = await bench().finally(async () => {
  await database.end();
  await platform.stop();
});
await finish(figures);
