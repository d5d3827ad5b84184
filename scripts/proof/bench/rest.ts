// `make bench-rest`: measures requests per second, latency and processor time of REST calls, page views, watchers of a match in play and
// rows of lists. BEFORE=<git ref>: alternates with that version. RUN_SECONDS: duration of each run (default 3); ROUNDS (default 3);
// ONLY=calls,mixed,pages,watchers. RECORD=1 adds the figures to test-results/performance.md.
import { join } from 'node:path';
import type { OwnPlatform } from '../../up/own-platform.ts';
import { BenchRun } from './bench-run.ts';
import { type Call, pageViews, publicReads, signedInReads } from './rest/calls.ts';
import { type Measured, measure, totalOf } from './rest/measure.ts';
import { checkOut } from './rest/previous-version.ts';
import { measureWatchers } from './rest/watchers.ts';
import { createWorld, keepInPlay, type World } from './rest/world.ts';
import { describeSpread, median } from './spread.ts';

const seconds = Number(process.env.RUN_SECONDS ?? 3);
const rounds = Number(process.env.ROUNDS ?? 3);
const before = process.env.BEFORE;
const sections = new Set((process.env.ONLY ?? 'calls,mixed,pages,watchers').split(','));
const root = join(import.meta.dirname, '../../..');
const matches = 3;
/** Number of rows in the responses of these calls. */
const rowsOf: Readonly<Record<string, number>> = { 'list of 1,000 hands': 1000, 'series of 1,000 hands': 1000 };

interface Version {
  readonly name: string;
  readonly platform: OwnPlatform;
  readonly world: World;
}

const lines: string[] = [];
const print = (line = '') => {
  process.stdout.write(`${line}\n`);
  lines.push(line);
};

async function startVersion(name: string, folder: string): Promise<Version> {
  const source = join(folder, 'scripts/up/own-platform.ts');
  const { startOwnPlatform, withoutLimits } = (await import(source)) as typeof import('../../up/own-platform.ts');
  const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1' });
  try {
    return { name, platform, world: await createWorld(platform.origin, platform.admin, matches) };
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

/** Measures the calls on every version once per round, after a shorter run of each that warms it up. */
async function measureInTurns(versions: readonly Version[], callsOf: (world: World) => readonly Call[]) {
  const runs = new Map<Version, Measured[]>(versions.map((version) => [version, []]));
  for (const { platform, world } of versions) await measure(platform, callsOf(world), { seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const version of versions) {
      const measured = await measure(version.platform, callsOf(version.world), { seconds });
      if (measured.failed > 0)
        throw new Error(`${measured.failed} requests failed: ${JSON.stringify(callsOf(version.world))}`);
      runs.get(version)?.push(measured);
    }
  }
  return runs;
}

/** Returns the median processor time of each part over the runs, largest first, without parts below a hundredth of a millisecond. */
function formatParts(runs: readonly Measured[]): string {
  const parts = [...new Set(runs.flatMap(({ cost }) => [...cost.keys()]))];
  return parts
    .map((part): [string, number] => [part, median(runs.map(({ cost }) => cost.get(part) ?? 0))])
    .filter(([, ms]) => ms >= 0.01)
    .sort(([, a], [, b]) => b - a)
    .map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
    .join(', ');
}

const costs = (runs: readonly Measured[]) => runs.map(({ cost }) => totalOf(cost));

async function measureCalls(
  versions: readonly Version[],
  title: string,
  callsOf: (world: World) => Readonly<Record<string, Call>>,
) {
  const first = versions[0]?.world;
  if (first === undefined) return;
  print(`\n${title}\n`);
  print('| call | version | requests/s | p50, p99 ms | ms of processor time, all parts (spread) | by part |');
  print('| --- | --- | --- | --- | --- | --- |');
  for (const name of Object.keys(callsOf(first))) {
    const found = await measureInTurns(versions, (world) => [callsOf(world)[name] as Call]);
    for (const [version, runs] of found) {
      const cost = median(costs(runs));
      const rows = rowsOf[name];
      const perRows = rows === undefined ? '' : `; ${((cost * 1000) / rows).toFixed(1)} for 1,000 rows`;
      print(
        `| ${name} | ${version.name} | ${median(runs.map(({ perSecond }) => perSecond)).toFixed(0)} | ${formatLatencies(runs)} | ${cost.toFixed(2)} (${describeSpread(costs(runs), 2)})${perRows} | ${formatParts(runs)} |`,
      );
    }
  }
}

const formatLatencies = (runs: readonly Measured[]) =>
  `${median(runs.map(({ p50Ms }) => p50Ms)).toFixed(0)}, ${median(runs.map(({ p99Ms }) => p99Ms)).toFixed(0)}`;

async function measureMixed(versions: readonly Version[]) {
  print('\nMixed public reads, each of the calls above equally often\n');
  print('| beside | version | requests/s (spread) | p50, p99 ms | ms of processor time | by part |');
  print('| --- | --- | --- | --- | --- | --- |');
  const row = (beside: string, found: Map<Version, Measured[]>) => {
    for (const [version, runs] of found) {
      const rates = runs.map(({ perSecond }) => perSecond);
      print(
        `| ${beside} | ${version.name} | ${median(rates).toFixed(0)} (${describeSpread(rates, 0)}) | ${formatLatencies(runs)} | ${median(costs(runs)).toFixed(2)} | ${formatParts(runs)} |`,
      );
    }
  };
  row('nothing', await measureInTurns(versions, (world) => Object.values(publicReads(world))));
  for (const version of versions) {
    const stop = await keepInPlay(version.world);
    try {
      row('a match in play', await measureInTurns([version], (world) => Object.values(publicReads(world))));
    } finally {
      await stop();
    }
  }
}

async function measurePages(versions: readonly Version[]) {
  const [first] = versions;
  if (first === undefined) return;
  print('\nPage views: the calls that a page makes when a visitor opens it, without static files\n');
  print('| page | calls | version | ms of processor time a view (spread) | by part and call |');
  print('| --- | --- | --- | --- | --- |');
  for (const page of Object.keys(pageViews(first.world))) {
    const callsOf = (world: World) => pageViews(world)[page] ?? [];
    for (const [version, runs] of await measureInTurns(versions, callsOf)) {
      const calls = callsOf(version.world).length;
      const views = costs(runs).map((ms) => ms * calls);
      print(
        `| ${page} | ${calls} | ${version.name} | ${median(views).toFixed(2)} (${describeSpread(views, 2)}) | ${formatParts(runs)} |`,
      );
    }
  }
}

async function bench(): Promise<void> {
  const run = await BenchRun.start('The REST API');
  const old = before === undefined ? undefined : checkOut(before);
  const versions: Version[] = [];
  try {
    if (old !== undefined) versions.push(await startVersion(`before (${before})`, old.folder));
    versions.push(await startVersion('now', root));
    print(`10 connections on the same machine, ${rounds} runs of ${seconds} s each, medians.`);
    if (sections.has('calls')) {
      await measureCalls(versions, 'Public reads', publicReads);
      await measureCalls(versions, 'Signed-in reads', signedInReads);
    }
    if (sections.has('mixed')) await measureMixed(versions);
    if (sections.has('pages')) await measurePages(versions);
    if (sections.has('watchers')) {
      print('\nWatchers of a match in play\n');
      for (const { name, platform, world } of versions) print(`- ${name}: ${await measureWatchers(platform, world)}`);
    }
  } finally {
    for (const { platform } of versions) await platform.stop();
    old?.remove();
  }
  await run.finish(lines.join('\n'), { printed: true });
}

bench().catch((error: unknown) => {
  process.stderr.write(`bench-rest: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
