// `make bench-fleet`: synthetic runners, without seats, wait for matches, play them with calling players and deliver them to a platform of its own.
// IDLE (10,100,1000), RUNNERS (1,4,16,64), MATCHES (40), HANDS (1000).
import { setTimeout as pause } from 'node:timers/promises';
import { simulationService } from '@husky/contracts/services';
import { sql } from '@husky/runtime/database/sql';
import { retry } from '@husky/runtime/process/retry';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner } from '@husky/runtime/rpc/identity';
import pg from 'pg';
import { registerVerified, submitFinal } from '../../../demo/accounts.ts';
import { Api, Refused } from '../../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../../up/own-platform.ts';
import { variableOf } from '../../chaos/processes.ts';
import { partsOf, sample } from '../../load/processor-time.ts';
import { startBench } from '../bench-run.ts';
import { quantile } from '../machine.ts';
import { Runners } from './runners.ts';

const readNumbers = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',').map(Number);
const idleSizes = readNumbers('IDLE', '10,100,1000');
const runnerCounts = readNumbers('RUNNERS', '1,4,16,64');
const [matches = 40] = readNumbers('MATCHES', '40');
const [hands = 1000] = readNumbers('HANDS', '1000');
const idleMs = 30_000;
const passes = 10;
/** Processes whose processor time is reported. */
const parts = ['simulation', 'live-data', 'submission', 'postgresql', 'nats'];

const finish = await startBench();
const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1', LOG_LEVEL: 'error' });
const client = new pg.Client({ connectionString: platform.databaseUrl() });
const report = (line: string) => process.stdout.write(`${line}\n`);
const isUnavailable = (error: unknown) => error instanceof Refused && error.status >= 500;

/** Pauses or resumes a batch. Retries a lost call, which may have taken effect: then the repeated call is refused, which is ignored. */
async function changeBatch(admin: Api, batchId: string, action: 'pause' | 'resume'): Promise<void> {
  let repeated = false;
  const change = () =>
    admin.post(`/llm/batch/${batchId}/${action}`).catch((error: unknown) => {
      if (!(repeated && error instanceof Refused && error.status < 500)) throw error;
    });
  const onFailure = () => {
    repeated = true;
  };
  await retry(change, { maxMs: 60_000, retryIf: isUnavailable, onFailure });
}

/** Creates a paused batch of all groups of six of the users, whose matches can be claimed when it is resumed. Returns its id. */
async function createPausedBatch(admin: Api, users: readonly string[]): Promise<string> {
  const body = { users_list: users, num_rounds: hands, stacks: 'reset' };
  const { batch_id, total_jobs } = await admin.post<{ batch_id: string; total_jobs: number }>('/llm/batch-run', body);
  for (;;) {
    const { rows } = await client.query<{ queued: number }>(
      sql`SELECT count(*)::int AS queued FROM simulation.jobs WHERE batch_id = ${batch_id} AND commitment_number IS NOT NULL`,
    );
    if (rows[0]?.queued === total_jobs) break;
    await pause(200);
  }
  await changeBatch(admin, batch_id, 'pause');
  return batch_id;
}

/** Runs an action. Returns its result, duration, growth of database and write-ahead log, and the processor seconds of each part. */
async function measure<T>(action: () => Promise<T>) {
  const read = async () => {
    const { rows } = await client.query<{ wal: string; bytes: string }>(
      "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS bytes",
    );
    return { ...sample(partsOf(platform)), wal: Number(rows[0]?.wal), bytes: Number(rows[0]?.bytes) };
  };
  const before = await read();
  const result = await action();
  const after = await read();
  const secondsOf = (part: string) => (after.seconds.get(part) ?? 0) - (before.seconds.get(part) ?? 0);
  const elapsedS = (after.atMs - before.atMs) / 1000;
  return { result, elapsedS, secondsOf, wal: after.wal - before.wal, bytes: after.bytes - before.bytes };
}

const quantiles = (values: readonly number[]) =>
  [0.5, 0.95].map((share) => quantile(values, share).toFixed(0)).join(', ');

async function benchIdle(runners: Runners, admin: Api, batch: string): Promise<void> {
  report('| idle runners | simulation, PostgreSQL | a match passed on, p50, p95 ms |\n|---|---|---|');
  for (const count of idleSizes) {
    await runners.start(count);
    await pause(5000);
    const { secondsOf, elapsedS } = await measure(() => pause(idleMs));
    await changeBatch(admin, batch, 'resume');
    const latenciesMs = await runners.pass(passes);
    await changeBatch(admin, batch, 'pause');
    await pause(1500);
    const [simulation, database] = ['simulation', 'postgresql'].map((part) => (100 * secondsOf(part)) / elapsedS);
    report(`| ${count} | ${simulation?.toFixed(1)}, ${database?.toFixed(1)} % | ${quantiles(latenciesMs)} |`);
  }
}

async function benchPlay(runners: Runners, admin: Api, batch: string): Promise<void> {
  const columns = ['runners', 'matches/s', 'claim p50, p95 ms', 'delivery p50, p95 ms'];
  columns.push(`processor seconds a match: ${parts.join(', ')}`, 'KiB a match: database, WAL');
  report(`\n| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`);
  for (const count of runnerCounts) {
    await runners.start(count);
    const { result, secondsOf, wal, bytes } = await measure(async () => {
      const playing = runners.play(matches);
      await changeBatch(admin, batch, 'resume');
      return playing;
    });
    await changeBatch(admin, batch, 'pause');
    const { claimsMs, matchesMs, seconds } = result;
    const perMatch = parts.map((part) => (secondsOf(part) / matches).toFixed(3)).join(', ');
    const kib = [bytes, wal].map((value) => (value / matches / 1024).toFixed(0)).join(', ');
    report(
      `| ${count} | ${(matches / seconds).toFixed(1)} | ${quantiles(claimsMs)} | ${quantiles(matchesMs)} | ${perMatch} | ${kib} |`,
    );
  }
}

/** Returns the number of tables of six that this number of players can form. */
const countTables = (players: number) =>
  [0, 1, 2, 3, 4, 5].reduce((count, seat) => (count * (players - seat)) / (seat + 1), 1);

async function bench(poolPid: number): Promise<void> {
  await client.connect();
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users: string[] = [];
  // Enough tables that each row of the second figures claims matches that no other row has played.
  for (let number = 1; countTables(number - 1) < runnerCounts.length * matches + 100; number++) {
    const owner = await registerVerified(admin, `fleet-${number}`);
    await retry(() => submitFinal(owner, 'calling-station'), { maxMs: 60_000, retryIf: isUnavailable });
    users.push(`fleet-${number}`);
  }
  const variable = (name: string) => variableOf(poolPid, name) ?? '';
  const address = (name: string) => variable(`${name}_ADDRESS`);
  const pool = createRpcClient(simulationService, address('SIMULATION'), createSigner(variable('IDENTITY_KEY_FILE')));
  // The platform's own runner must not claim. A running pool would uncordon it.
  process.kill(poolPid, 'SIGSTOP');
  await pool.cordonRunners({ names: ['runner-1'], cordoned: true });
  pool.close();
  const one = await createPausedBatch(admin, users.slice(0, 6));
  const many = await createPausedBatch(admin, users);
  const runners = new Runners(
    { simulation: address('SIMULATION'), submission: address('SUBMISSION'), 'live-data': address('LIVE_DATA') },
    createSigner(variable('RUNNER_KEY_FILE')),
  );
  try {
    await benchIdle(runners, admin, one);
    await benchPlay(runners, admin, many);
  } finally {
    await runners.stop();
  }
}

const poolPid = platform.pidOf('pool');
if (poolPid === undefined) throw new Error('pool does not run');
try {
  await bench(poolPid);
} finally {
  process.kill(poolPid, 'SIGCONT');
  await client.end();
  await platform.stop();
}
await finish();
