// `make bench-fleet`: synthetic runners deliver recorded matches to one and two replicas of the services that runners call, with one
// PostgreSQL. IDLE (10,100,1000), RUNNERS (1,4,16,64), REPLICAS (1,2), MATCHES (40), HANDS (1000).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
import { BenchRun } from '../bench-run.ts';
import { quantile } from '../spread.ts';
import { countTables } from '../tables.ts';
import { CostMeter, type Costs, parts } from './costs.ts';
import type { QueuedMatch } from './record-match.ts';
import { readAddresses, readEnvironment, SecondReplicas } from './replicas.ts';
import type { Command } from './runners-process.ts';
import type { Addresses } from './synthetic-runner.ts';

const readNumbers = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',').map(Number);
const idleSizes = readNumbers('IDLE', '10,100,1000');
const runnerCounts = readNumbers('RUNNERS', '1,4,16,64');
const replicaCounts = readNumbers('REPLICAS', '1,2');
const [matches = 40] = readNumbers('MATCHES', '40');
const [hands = 1000] = readNumbers('HANDS', '1000');
const idleMs = 1000 * (readNumbers('IDLE_SECONDS', '30')[0] ?? 30);
const passes = 10;
const maxHerd = 100;
const responseTimeoutMs = 5 * 60_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const run = await BenchRun.start('A fleet of runners');
const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1', LOG_LEVEL: 'error' });
const child = spawn(process.execPath, [join(import.meta.dirname, 'runners-process.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const responses = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const client = new pg.Client({ connectionString: platform.databaseUrl() });
const lines: string[] = [];
let second: SecondReplicas | undefined;

/** Sends a command to the process of the runners and returns its response. */
async function send<T>(command: Command): Promise<T> {
  child.stdin.write(`${JSON.stringify(command)}\n`);
  const timeout = AbortSignal.timeout(responseTimeoutMs);
  const { value, done } = await Promise.race([
    responses.next(),
    once(timeout, 'abort').then(() => {
      throw new Error(`the runners did not finish '${command.do}' within ${responseTimeoutMs / 60_000} minutes`);
    }),
  ]);
  if (done) throw new Error('the process of the runners has ended');
  const { failures, error, ...response } = JSON.parse(value) as { failures: Record<string, number>; error?: string };
  if (error !== undefined) throw new Error(error);
  for (const [failure, count] of Object.entries(failures)) print(`${count} failed calls: ${failure}`);
  return response as T;
}

const isUnavailable = (error: unknown) => error instanceof Refused && error.status >= 500;

/** Pauses or resumes a batch. Retries a lost call, which may have taken effect: then the repeated call is refused, which is ignored. */
async function changeBatch(admin: Api, batchId: string, action: 'pause' | 'resume'): Promise<void> {
  let repeated = false;
  await retry(
    () =>
      admin.post(`/llm/batch/${batchId}/${action}`).catch((error: unknown) => {
        if (!(repeated && error instanceof Refused && error.status < 500)) throw error;
      }),
    {
      maxMs: 60_000,
      retryIf: isUnavailable,
      onFailure: () => {
        repeated = true;
      },
    },
  );
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

async function readQueued(batchId: string): Promise<QueuedMatch[]> {
  const { rows } = await client.query<{
    id: string;
    seed: string;
    rounds: number;
    stack: number;
    bigBlind: number;
    multiplier: string;
    interval: number;
    rulesVersion: number;
  }>(
    sql`SELECT j.id, encode(d.seed, 'hex') AS seed, num_rounds AS rounds, starting_stack AS stack, big_blind AS "bigBlind",
       blind_multiplier AS multiplier, blind_interval AS interval,
       rules_version AS "rulesVersion"
     FROM simulation.jobs j JOIN simulation.deal_sets d ON d.id = j.deal_set_id
     WHERE batch_id = ${batchId} AND state = 'PAUSED' ORDER BY queue_tag
     LIMIT ${replicaCounts.length * runnerCounts.length * (matches + 1)}`,
  );
  return rows.map(({ id, seed, rounds, stack, bigBlind, multiplier, interval, rulesVersion }) => ({
    jobId: id,
    seedHex: seed,
    numRounds: rounds,
    setup: {
      rulesVersion,
      players: 6,
      startingStack: stack,
      blinds: { bigBlind, multiplier, interval },
      stacks: 'reset',
    },
  }));
}

const formatMs = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const formatKib = (bytes: number) => (bytes / 1024).toFixed(0);
const secondsOf = ({ seconds }: Costs, part: string) => seconds.get(part) ?? 0;

async function benchIdle(
  meter: CostMeter,
  admin: Api,
  one: string,
  many: string,
  start: (n: number) => Command,
  replicas: number,
) {
  for (const runners of idleSizes) {
    await send(start(runners));
    await pause(5000);
    const { costs } = await meter.measure(() => pause(idleMs));
    await changeBatch(admin, one, 'resume');
    const { latenciesMs } = await send<{ latenciesMs: number[] }>({ do: 'pass', rounds: passes });
    await changeBatch(admin, one, 'pause');
    await pause(1500);
    const herd = Math.min(runners, maxHerd);
    const gathering = meter.measure(async () => {
      const gathered = send<{ atMs: number[] }>({ do: 'gather', matches: herd });
      const resumedAtMs = Date.now();
      await changeBatch(admin, many, 'resume');
      return (await gathered).atMs.map((at) => at - resumedAtMs);
    });
    const { result: herdMs, costs: herdCosts } = await gathering;
    await changeBatch(admin, many, 'pause');
    await send({ do: 'release' });
    await pause(1000);
    const share = (part: string) => ((100 * secondsOf(costs, part)) / costs.elapsedS).toFixed(1);
    const memory = costs.rssMib.get('simulation') ?? 0;
    lines.push(
      `| ${replicas} | ${runners} | ${share('simulation')}, ${share('postgresql')} % | ${(costs.transactions / costs.elapsedS).toFixed(0)} | ${memory} | ` +
        `${formatMs(quantile(latenciesMs, 0.5))}, ${formatMs(quantile(latenciesMs, 0.95))}, ${formatMs(Math.max(...latenciesMs))} | ` +
        `${herd} in ${formatMs(Math.max(...herdMs))} ms; ${secondsOf(herdCosts, 'simulation').toFixed(2)}, ${secondsOf(herdCosts, 'postgresql').toFixed(2)} s |`,
    );
    print(lines.at(-1) ?? '');
  }
}

interface Played {
  readonly claimsMs: readonly number[];
  readonly matchesMs: readonly number[];
  readonly accepted: number;
  readonly hands: number;
  readonly seconds: number;
  readonly bytes: { readonly sent: number; readonly received: number };
}

async function benchPlay(meter: CostMeter, admin: Api, many: string, start: (n: number) => Command, replicas: number) {
  for (const runners of runnerCounts) {
    await send(start(runners));
    const { result, costs } = await meter.measure(async () => {
      const playing = send<Played>({ do: 'play', matches, playMs: 0 });
      await changeBatch(admin, many, 'resume');
      return playing;
    });
    await changeBatch(admin, many, 'pause');
    const perMatch = parts.map((part) => (secondsOf(costs, part) / result.accepted).toFixed(3)).join(', ');
    lines.push(
      `| ${replicas} | ${runners} | ${(result.accepted / result.seconds).toFixed(1)} | ${formatMs(quantile(result.claimsMs, 0.5))}, ${formatMs(quantile(result.claimsMs, 0.95))} | ` +
        `${formatMs(quantile(result.matchesMs, 0.5))}, ${formatMs(quantile(result.matchesMs, 0.95))} | ${perMatch} | ` +
        `${formatKib(costs.bytes / result.accepted)}, ${formatKib(costs.wal / result.accepted)}, ${formatKib((result.bytes.sent + result.bytes.received) / result.accepted)} | ${costs.limit} |`,
    );
    print(lines.at(-1) ?? '');
  }
}

async function bench(poolPid: number): Promise<void> {
  await client.connect();
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users: string[] = [];
  // Enough users that each row of the second table can claim matches that no other row has played.
  const needed = replicaCounts.length * runnerCounts.length * matches;
  for (let number = 1; number <= 11 || countTables(number - 1) < needed; number++) {
    const username = `fleet-${number}`;
    const owner = await registerVerified(admin, username);
    await retry(() => submitFinal(owner, 'calling-station'), { maxMs: 60_000, retryIf: isUnavailable });
    users.push(username);
  }
  // The platform's own runner must not claim. A running pool would uncordon it.
  const simulation = readEnvironment(poolPid);
  const pool = createRpcClient(
    simulationService,
    simulation.SIMULATION_ADDRESS ?? '',
    createSigner(simulation.IDENTITY_KEY_FILE ?? ''),
  );
  process.kill(poolPid, 'SIGSTOP');
  await pool.cordonRunners({ names: ['runner-1'], cordoned: true });
  pool.close();
  const one = await createPausedBatch(admin, users.slice(0, 6));
  const many = await createPausedBatch(admin, users);
  // A separate batch, because handed-back matches get a later attempt than the recorded one.
  const crowd = await createPausedBatch(admin, users);
  const queued = await readQueued(many);
  const recorded = await send<{ seconds: number; bytes: number }>({ do: 'record', matches: queued });
  lines.push(
    `Matches of ${hands} hands, stacks reset, ${queued.length} recorded: ${(recorded.seconds / queued.length).toFixed(2)} s of processor time and ` +
      `${formatKib(recorded.bytes / queued.length)} KiB of chunks a match, not included below.`,
    '',
  );
  const meter = new CostMeter(platform, client, child.pid ?? 0);
  const first = readAddresses(platform);
  const keyFile = simulation.RUNNER_KEY_FILE ?? '';
  const phases: [string[], (replicas: number, start: (runners: number) => Command) => Promise<void>][] = [
    [
      [
        '| replicas | idle runners | simulation, PostgreSQL | transactions/s | MiB of simulation | a match passed on, p50, p95, slowest ms | claimed at once; simulation, PostgreSQL |',
        '|---|---|---|---|---|---|---|',
      ],
      (replicas, start) => benchIdle(meter, admin, one, crowd, start, replicas),
    ],
    [
      [
        '',
        `| replicas | runners | matches/s | claim p50, p95 ms | claim to acceptance p50, p95 ms | processor seconds a match: ${parts.join(', ')} | KiB a match: database, WAL, network | limit |`,
        '|---|---|---|---|---|---|---|---|',
      ],
      (replicas, start) => benchPlay(meter, admin, many, start, replicas),
    ],
  ];
  for (const [head, phase] of phases) {
    lines.push(...head);
    print(head.join('\n'));
    for (const count of replicaCounts) {
      if (count > 1 && second === undefined) second = await SecondReplicas.start(platform);
      const used: Addresses[] = count > 1 && second !== undefined ? [first, second.addresses] : [first];
      meter.replicas = count > 1 ? (second?.processes ?? []) : [];
      await phase(count, (runners) => ({ do: 'start', keyFile, replicas: used, runners }));
    }
  }
  await send({ do: 'stop' });
}

const poolPid = platform.pidOf('pool');
if (poolPid === undefined) throw new Error('pool does not run');
try {
  await bench(poolPid);
} finally {
  process.kill(poolPid, 'SIGCONT');
  child.kill();
  await client.end().catch(() => undefined);
  await second?.stop();
  await platform.stop();
}
await run.finish(lines.join('\n'));
