// `make bench-batch`: processor time and storage of batches by part of the platform. MODELS (8) bots of BOTS play every table of six, or the
// first MATCHES tables, in BATCHES (2) batches on a platform of its own: the first is cold, the last warm. A further one with a clock around
// the bots' methods tells their own code from the platform's. 13 models are a benchmark night of 1,716 matches.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { registerVerified, uploadFinal } from '../../../demo/accounts.ts';
import { Api } from '../../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../../up/own-platform.ts';
import { partsWithRunners, sample } from '../../load/processor-time.ts';
import { startBench } from '../bench-run.ts';
import { readStored } from '../storage.ts';
import { type BenchBot, readBots, readClocks, withClock } from './fields.ts';

const bots = readBots(process.env.BOTS ?? join(import.meta.dirname, 'bots'));
const batches = Number(process.env.BATCHES ?? 2);
const wanted = process.env.MATCHES ? Number(process.env.MATCHES) : undefined;
const progressMs = 10_000;
const nightMatches = 1716;

const finish = await startBench();
const platform = await startOwnPlatform(withoutLimits);
const database = new pg.Pool({ connectionString: platform.databaseUrl(), max: 1 });
const read = async (sql: string) => Number((await database.query<{ value: string }>(sql)).rows[0]?.value);
const countMatches = (status: string) =>
  read(`SELECT count(*) AS value FROM live_data.matches WHERE status = '${status}'`);

async function addModels(admin: Api, prefix: string, field: readonly BenchBot[]): Promise<string[]> {
  const users = Array.from({ length: Number(process.env.MODELS ?? 8) }, (_, at) => `${prefix}-${at + 1}`);
  for (const [at, name] of users.entries()) {
    const { source, requirements } = field[at % field.length] as BenchBot;
    await uploadFinal(await registerVerified(admin, name), source, requirements);
  }
  return users;
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

/** Plays a batch. Returns what it has used, in words, and the seats' processor time of a match. */
async function measure(admin: Api, name: string, users: readonly string[]): Promise<{ text: string; seatsMs: number }> {
  const before = await readUsage();
  await play(admin, users, wanted);
  const after = await readUsage();
  const [matches, hands] = [after.matches - before.matches, after.hands - before.hands];
  const wallS = (after.atMs - before.atMs) / 1000;
  const parts = [...after.seconds]
    .map(([part, used]): [string, number] => [part, used - (before.seconds.get(part) ?? 0)])
    .sort(([, a], [, b]) => b - a);
  const totalS = parts.reduce((sum, [, used]) => sum + used, 0);
  const seatsS = parts.find(([part]) => part === 'seats')?.[1] ?? 0;
  const nightMinutes = (seconds: number) => ((nightMatches * seconds) / matches / 60).toFixed(0);
  const text = [
    `- ${name}: ${matches} matches, ${hands} hands in ${wallS.toFixed(0)} s: ${(hands / wallS).toFixed(0)} hands/s`,
    `  - processor time of a match: ${(totalS / matches).toFixed(2)} s, of which the seats ${((100 * seatsS) / totalS).toFixed(0)} %, all others ${((totalS - seatsS) / matches).toFixed(2)} s`,
    `  - ${parts.map(([part, used]) => `${part} ${((1000 * used) / matches).toFixed(0)} ms`).join(', ')}`,
    `  - stored ${((after.bytes - before.bytes) / hands).toFixed(0)} bytes a hand, write-ahead log ${((after.walBytes - before.walBytes) / hands).toFixed(0)}, ` +
      `${((after.transactions - before.transactions) / matches).toFixed(0)} transactions a match`,
    `  - ${nightMatches} matches take ${nightMinutes(wallS)} minutes at this speed, ` +
      `${nightMinutes(totalS / availableParallelism())} if all ${availableParallelism()} processors did nothing else`,
  ].join('\n');
  return { text, seatsMs: (1000 * seatsS) / matches };
}

/** Plays a batch of bots with a clock. Returns how much of the seats' time in a batch without it, `seatsMs` a match, is the bots' own, in words. */
async function measureOwnCode(admin: Api, seatsMs: number): Promise<string> {
  const before = await countMatches('Finished');
  await play(admin, await addModels(admin, 'timed', bots.map(withClock)), wanted);
  const matches = (await countMatches('Finished')) - before;
  const { rows } = await database.query<{ log: Buffer }>('SELECT log FROM live_data.seat_reports');
  const { ownMs, acts, loadMs } = readClocks(rows.map(({ log }) => zstdDecompressSync(log).toString()));
  const us = (ms: number) => `${((1000 * ms * matches) / acts).toFixed(1)} us an act`;
  const ms = (sum: number) => `${(sum / matches).toFixed(0)} ms a match`;
  return `- of the seats' time the bots' own code: ${ms(ownMs)}, ${us(ownMs / matches)}; their modules and packages: ${ms(loadMs)}; start and overhead ${us(seatsMs - (ownMs + loadMs) / matches)} (${(acts / matches).toFixed(0)} acts a match)`;
}

async function bench(): Promise<string> {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users = await addModels(admin, 'model', bots);
  const lines: string[] = [];
  let seatsMs = 0;
  for (let batch = 1; batch <= batches; batch++) {
    const measured = await measure(admin, `batch ${batch}`, users);
    lines.push(measured.text);
    seatsMs = measured.seatsMs;
  }
  return [...lines, await measureOwnCode(admin, seatsMs)].join('\n');
}

let figures: string;
try {
  figures = await bench();
} finally {
  await database.end();
  await platform.stop();
}
await finish(figures);
