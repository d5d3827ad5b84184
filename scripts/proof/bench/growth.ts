// `make bench-growth`: starts two platforms, one with SMALL jobs (1,000: 20,000 hands) and one with LARGE (1,000,000: 20,000,000). Measures
// every list call and the acceptance of a match on both in turn, and prints the ratios of processor time.
// SMALL, LARGE, USERS, ROUNDS, MATCHES; LARGE_DATA_DIR: folder of the large platform, which is kept and reused.
import pg from 'pg';
import { Api } from '../../demo/api.ts';
import { seedLarge } from '../../seed-large/seed.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { partsOf, type Sample, sample } from '../load/processor-time.ts';
import { prepareMatches } from './acceptance.ts';
import { BenchRun } from './bench-run.ts';
import { listCalls } from './list-calls.ts';
import { median } from './spread.ts';

const readNumber = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const users = readNumber('USERS', 10_000);
const jobs = { small: readNumber('SMALL', 1000), large: readNumber('LARGE', 1_000_000) };
const minRounds = readNumber('ROUNDS', 5);
const maxRounds = 8 * minRounds;
const requestsInRound = 12;
/** Processor milliseconds of a call until which more rounds are measured: the kernel counts in ticks of 10. */
const minCpuMs = 400;
const matches = readNumber('MATCHES', 3);
const limit = 1.5;

const figures: string[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
/** Prints a line and adds it to the recorded figures. */
function report(line: string): void {
  figures.push(line);
  print(line);
}

interface Side {
  readonly platform: OwnPlatform;
  readonly client: pg.Client;
  readonly token: string;
  readonly lists: readonly (readonly string[])[];
  play(): Promise<void>;
}

async function openSide(count: number, dataDir: string | undefined): Promise<Side> {
  const platform = await startOwnPlatform({
    ...withoutLimits,
    POOL_SIZE: '1',
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
  });
  return fillSide(platform, count).catch(async (error: unknown) => {
    await platform.stop();
    throw error;
  });
}

async function fillSide(platform: OwnPlatform, count: number): Promise<Side> {
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ jobs: number }>('SELECT count(*)::int AS jobs FROM simulation.jobs');
  if (rows[0]?.jobs === 0)
    await seedLarge(platform.databaseUrl(), { users, jobs: count, audits: 2 * count, pausedBatch: true }, print);
  await client.query('CHECKPOINT');
  const { token = '' } = await new Api(platform.origin).signIn(platform.admin);
  // The same pages on both sides, because the cost of a page grows with its offset.
  const lists = await listCalls(client, jobs.small);
  return { platform, client, token, lists, play: await prepareMatches(platform) };
}

/** Returns the processor seconds of all parts of a platform between two samples. */
const secondsBetween = (before: Sample, after: Sample) =>
  [...after.seconds].reduce((sum, [name, seconds]) => sum + seconds - (before.seconds.get(name) ?? seconds), 0);

interface Cost {
  cpuMs: number;
  readonly wallMs: number[];
  /** Sum of the responses. */
  bytes: number;
}
const createCost = (): Cost => ({ cpuMs: 0, wallMs: [], bytes: 0 });

async function requestAll({ platform, token }: Side, paths: readonly string[], cost: Cost): Promise<void> {
  const before = sample(partsOf(platform));
  for (let count = 0; count < requestsInRound; count++) {
    const path = paths[count % paths.length] ?? '';
    const startedMs = performance.now();
    const response = await fetch(`${platform.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const { byteLength } = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    cost.wallMs.push(performance.now() - startedMs);
    cost.bytes += byteLength;
  }
  cost.cpuMs += 1000 * secondsBetween(before, sample(partsOf(platform)));
}

/** Prints a row for each call. Returns the number of calls beyond the limit: for a call that returns more on the large platform, per byte. */
async function measureLists(small: Side, large: Side): Promise<number> {
  report('\n| call | 20 k: ms, processor ms, KiB | 20 M: ms, processor ms, KiB | ratio of processor time | per byte |');
  report('| --- | --- | --- | --- | --- |');
  let over = 0;
  const total = { small: 0, large: 0 };
  for (const [index, paths] of small.lists.entries()) {
    const [smallCost, largeCost] = [createCost(), createCost()];
    const measureBoth = async (first: Cost, second: Cost) => {
      await requestAll(small, paths, first);
      await requestAll(large, large.lists[index] ?? [], second);
    };
    await measureBoth(createCost(), createCost());
    for (let round = 0; round < maxRounds; round++) {
      if (round >= minRounds && Math.min(smallCost.cpuMs, largeCost.cpuMs) >= minCpuMs) break;
      await measureBoth(smallCost, largeCost);
    }
    const ratio = largeCost.cpuMs / smallCost.cpuMs;
    const perByte = ratio / Math.max(1, largeCost.bytes / smallCost.bytes);
    if (perByte > limit) over++;
    const format = ({ wallMs, cpuMs, bytes }: Cost) =>
      `${median(wallMs).toFixed(1)}, ${(cpuMs / wallMs.length).toFixed(1)}, ${(bytes / wallMs.length / 1024).toFixed(1)}`;
    const mark = perByte > limit ? ' (!)' : '';
    report(
      `| ${paths[0]} | ${format(smallCost)} | ${format(largeCost)} | ${ratio.toFixed(2)} | ${perByte.toFixed(2)}${mark} |`,
    );
    total.small += smallCost.cpuMs / smallCost.wallMs.length;
    total.large += largeCost.cpuMs / largeCost.wallMs.length;
  }
  report(`all lists: ratio ${(total.large / total.small).toFixed(2)}`);
  return over;
}

async function measureMatches(small: Side, large: Side): Promise<void> {
  const cost = { small: new Map<string, number>(), large: new Map<string, number>() };
  const play = async (side: Side, into: Map<string, number>) => {
    const before = sample(partsOf(side.platform));
    await side.play();
    const after = sample(partsOf(side.platform));
    for (const [part, seconds] of after.seconds) {
      into.set(part, (into.get(part) ?? 0) + seconds - (before.seconds.get(part) ?? seconds));
    }
  };
  const warm = new Map<string, number>();
  await play(small, warm);
  await play(large, warm);
  for (let match = 0; match < matches; match++) {
    await play(small, cost.small);
    await play(large, cost.large);
  }
  report(`\n| part | 20 k: processor s a match of 1,000 hands | 20 M | ratio |`);
  report('| --- | --- | --- | --- |');
  for (const part of ['live-data', 'simulation', 'postgresql']) {
    const [few, many] = [cost.small.get(part) ?? 0, cost.large.get(part) ?? 0];
    report(`| ${part} | ${(few / matches).toFixed(2)} | ${(many / matches).toFixed(2)} | ${(many / few).toFixed(2)} |`);
  }
}

async function bench(): Promise<void> {
  const run = await BenchRun.start('Lists and acceptance with 20 M hands');
  const sides: Side[] = [];
  try {
    const large = await openSide(jobs.large, process.env.LARGE_DATA_DIR);
    sides.push(large);
    const small = await openSide(jobs.small, undefined);
    sides.push(small);
    const { rows } = await large.client.query<{ size: string }>(
      'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
    );
    report(`large database: ${rows[0]?.size}`);
    await measureMatches(small, large);
    const over = await measureLists(small, large);
    report(
      `${small.lists.length - over} of ${small.lists.length} calls within a ratio of ${limit}, those that return more per byte`,
    );
  } finally {
    for (const { client, platform } of sides) {
      await client.end().catch(() => undefined);
      await platform.stop();
    }
  }
  await run.finish(figures.join('\n'), { printed: true });
}

bench().catch((error: unknown) => {
  process.stderr.write(`bench-growth: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
