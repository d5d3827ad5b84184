// `make bench-fleet`: synthetic runners, which deliver recorded matches by the runner's protocol, against one and two replicas of the
// services that runners call and one PostgreSQL. IDLE (10,100,1000), RUNNERS (1,4,16,64), REPLICAS (1,2), MATCHES (40), HANDS (1000).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { simulationService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import { retry } from '@husky/runtime/retry';
import pg from 'pg';
import { registerVerified, submitFinal } from '../../demo/accounts.ts';
import { Api, Refused } from '../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { BenchRun } from '../bench-run.ts';
import { quantile } from '../spread.ts';
import { tablesOf } from '../tables.ts';
import { CostMeter, type Costs, parts } from './costs.ts';
import type { QueuedMatch } from './record-match.ts';
import { addressesOf, environmentOf, SecondReplicas } from './replicas.ts';
import type { Command } from './runners-process.ts';
import type { Addresses } from './synthetic-runner.ts';

const numbers = (name: string, standard: string) => (process.env[name] ?? standard).split(',').map(Number);
const idleSizes = numbers('IDLE', '10,100,1000');
const runnerCounts = numbers('RUNNERS', '1,4,16,64');
const replicaCounts = numbers('REPLICAS', '1,2');
const [matches = 40] = numbers('MATCHES', '40');
const [hands = 1000] = numbers('HANDS', '1000');
const idleMs = 1000 * (numbers('IDLE_SECONDS', '30')[0] ?? 30);
const passes = 10;
const maxHerd = 100;
const maxAnswerMs = 5 * 60_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const run = await BenchRun.start('A fleet of runners');
const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1', LOG_LEVEL: 'error' });
const child = spawn(process.execPath, [join(import.meta.dirname, 'runners-process.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const client = new pg.Client({ connectionString: platform.databaseUrl() });
const lines: string[] = [];
let second: SecondReplicas | undefined;

/** Sends a command to the process of the runners and returns its answer. */
async function tell<T>(command: Command): Promise<T> {
  child.stdin.write(`${JSON.stringify(command)}\n`);
  const late = AbortSignal.timeout(maxAnswerMs);
  const { value, done } = await Promise.race([
    answers.next(),
    once(late, 'abort').then(() => {
      throw new Error(`the runners did not finish '${command.do}' within ${maxAnswerMs / 60_000} minutes`);
    }),
  ]);
  if (done) throw new Error('the process of the runners has ended');
  const { failures, error, ...answer } = JSON.parse(value) as { failures: Record<string, number>; error?: string };
  if (error !== undefined) throw new Error(error);
  for (const [failure, count] of Object.entries(failures)) print(`${count} failed calls: ${failure}`);
  return answer as T;
}

const isUnavailable = (error: unknown) => error instanceof Refused && error.status >= 500;

/** Pauses or resumes a batch. Repeats a call that failed on its way: it may have been made, and is refused then. */
async function change(admin: Api, batchId: string, what: 'pause' | 'resume'): Promise<void> {
  let repeated = false;
  await retry(
    () =>
      admin.post(`/llm/batch/${batchId}/${what}`).catch((error: unknown) => {
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
      'SELECT count(*)::int AS queued FROM simulation.jobs WHERE batch_id = $1 AND commitment_number IS NOT NULL',
      [batch_id],
    );
    if (rows[0]?.queued === total_jobs) break;
    await pause(200);
  }
  await change(admin, batch_id, 'pause');
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
  }>(
    `SELECT j.id, encode(d.seed, 'hex') AS seed, num_rounds AS rounds, starting_stack AS stack, big_blind AS "bigBlind",
       blind_multiplier AS multiplier, blind_interval AS interval
     FROM simulation.jobs j JOIN simulation.deal_sets d ON d.id = j.deal_set_id
     WHERE batch_id = $1 AND state = 'PAUSED' ORDER BY queue_tag LIMIT $2`,
    [batchId, replicaCounts.length * runnerCounts.length * (matches + 1)],
  );
  return rows.map(({ id, seed, rounds, stack, bigBlind, multiplier, interval }) => ({
    jobId: id,
    seedHex: seed,
    numRounds: rounds,
    setup: { players: 6, startingStack: stack, blinds: { bigBlind, multiplier, interval }, stacks: 'reset' },
  }));
}

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const kib = (bytes: number) => (bytes / 1024).toFixed(0);
const of = ({ seconds }: Costs, part: string) => seconds.get(part) ?? 0;

async function benchIdle(
  meter: CostMeter,
  admin: Api,
  one: string,
  many: string,
  start: (n: number) => Command,
  replicas: number,
) {
  for (const runners of idleSizes) {
    await tell(start(runners));
    await pause(5000);
    const { costs } = await meter.measure(() => pause(idleMs));
    await change(admin, one, 'resume');
    const { latenciesMs } = await tell<{ latenciesMs: number[] }>({ do: 'pass', rounds: passes });
    await change(admin, one, 'pause');
    await pause(1500);
    const herd = Math.min(runners, maxHerd);
    const gathering = meter.measure(async () => {
      const gathered = tell<{ atMs: number[] }>({ do: 'gather', matches: herd });
      const resumedAtMs = Date.now();
      await change(admin, many, 'resume');
      return (await gathered).atMs.map((at) => at - resumedAtMs);
    });
    const { result: herdMs, costs: herdCosts } = await gathering;
    await change(admin, many, 'pause');
    await tell({ do: 'release' });
    await pause(1000);
    const share = (part: string) => ((100 * of(costs, part)) / costs.elapsedS).toFixed(1);
    const memory = costs.rssMib.get('simulation') ?? 0;
    lines.push(
      `| ${replicas} | ${runners} | ${share('simulation')}, ${share('postgresql')} % | ${(costs.transactions / costs.elapsedS).toFixed(0)} | ${memory} | ` +
        `${ms(quantile(latenciesMs, 0.5))}, ${ms(quantile(latenciesMs, 0.95))}, ${ms(Math.max(...latenciesMs))} | ` +
        `${herd} in ${ms(Math.max(...herdMs))} ms; ${of(herdCosts, 'simulation').toFixed(2)}, ${of(herdCosts, 'postgresql').toFixed(2)} s |`,
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
    await tell(start(runners));
    const { result, costs } = await meter.measure(async () => {
      const playing = tell<Played>({ do: 'play', matches, playMs: 0 });
      await change(admin, many, 'resume');
      return playing;
    });
    await change(admin, many, 'pause');
    const each = parts.map((part) => (of(costs, part) / result.accepted).toFixed(3)).join(', ');
    lines.push(
      `| ${replicas} | ${runners} | ${(result.accepted / result.seconds).toFixed(1)} | ${ms(quantile(result.claimsMs, 0.5))}, ${ms(quantile(result.claimsMs, 0.95))} | ` +
        `${ms(quantile(result.matchesMs, 0.5))}, ${ms(quantile(result.matchesMs, 0.95))} | ${each} | ` +
        `${kib(costs.bytes / result.accepted)}, ${kib(costs.wal / result.accepted)}, ${kib((result.bytes.sent + result.bytes.received) / result.accepted)} | ${costs.limit} |`,
    );
    print(lines.at(-1) ?? '');
  }
}

async function bench(): Promise<void> {
  await client.connect();
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users: string[] = [];
  // Enough for every row of the second table to claim matches that no other row has played.
  const needed = replicaCounts.length * runnerCounts.length * matches;
  for (let number = 1; number <= 11 || tablesOf(number - 1) < needed; number++) {
    const username = `fleet-${number}`;
    const owner = await registerVerified(admin, username);
    await retry(() => submitFinal(owner, 'calling-station'), { maxMs: 60_000, retryIf: isUnavailable });
    users.push(username);
  }
  // The platform's own runner must not claim.
  const poolPid = platform.pidOf('pool') ?? 0;
  const simulation = environmentOf(poolPid);
  const pool = createRpcClient(
    simulationService,
    simulation.SIMULATION_ADDRESS ?? '',
    createSigner(simulation.IDENTITY_KEY_FILE ?? ''),
  );
  await pool.cordonRunners({ names: ['runner-1'], cordoned: true });
  pool.close();
  const one = await createPausedBatch(admin, users.slice(0, 6));
  const many = await createPausedBatch(admin, users);
  // Matches that are handed back are at a later attempt than the recorded ones.
  const crowd = await createPausedBatch(admin, users);
  const queued = await readQueued(many);
  const recorded = await tell<{ seconds: number; bytes: number }>({ do: 'record', matches: queued });
  lines.push(
    `Matches of ${hands} hands, stacks reset, ${queued.length} recorded: ${(recorded.seconds / queued.length).toFixed(2)} s of processor time and ` +
      `${kib(recorded.bytes / queued.length)} KiB of chunks a match, outside of what follows.`,
    '',
  );
  const meter = new CostMeter(platform, client, child.pid ?? 0);
  const first = addressesOf(platform);
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
  await tell({ do: 'stop' });
}

try {
  await bench();
} finally {
  child.kill();
  await client.end().catch(() => undefined);
  await second?.stop();
  await platform.stop();
}
await run.finish(lines.join('\n'));
