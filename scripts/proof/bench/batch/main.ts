// `make bench-batch`: measures the processor time and storage of a batch by part of the platform. MODELS (8) bots play every table of six,
// or the first MATCHES tables, on a separate platform; 13 models are a benchmark night of 1,716 matches. BEFORE=<git ref>: alternates with
// that version, ROUNDS (2) times. RECORD=1 adds the figures to test-results/performance.md.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findPython } from '../../../up/preflight.ts';
import { BenchRun } from '../bench-run.ts';
import { describeSpread, median } from '../spread.ts';
import { countTables } from '../tables.ts';
import { measureTransportLimitUs } from '../transport.ts';
import { type BenchPlatform, checkOut, startBenchPlatform, type Usage } from './platform.ts';

const root = join(import.meta.dirname, '../../../..');
const models = Number(process.env.MODELS ?? 8);
const tables = countTables(models);
const matches = Math.min(tables, Number(process.env.MATCHES ?? tables));
const before = process.env.BEFORE;
const rounds = before === undefined ? 1 : Number(process.env.ROUNDS ?? 2);
const nightMatches = countTables(13);
const progressMs = 10_000;
const print = (text: string) => process.stdout.write(`${text}\n`);

/** Resources that one round of a version used. */
interface Round extends Omit<Usage, 'atMs'> {
  readonly wallS: number;
}

function subtractUsage(from: Usage, to: Usage): Round {
  const seconds = [...to.seconds].map(([name, used]): [string, number] => [name, used - (from.seconds.get(name) ?? 0)]);
  return {
    wallS: (to.atMs - from.atMs) / 1000,
    seconds: new Map(seconds),
    matches: to.matches - from.matches,
    hands: to.hands - from.hands,
    bytes: to.bytes - from.bytes,
    walBytes: to.walBytes - from.walBytes,
    transactions: to.transactions - from.transactions,
  };
}

async function playRound(platform: BenchPlatform): Promise<Round> {
  const from = await platform.usage();
  const startedMs = performance.now();
  let shownMs = startedMs;
  await platform.play(models, matches, (finished) => {
    if (performance.now() - shownMs < progressMs) return;
    shownMs = performance.now();
    const passedS = (shownMs - startedMs) / 1000;
    const left = ((matches - finished) * passedS) / finished;
    print(
      `${platform.version}: ${finished}/${matches} matches after ${passedS.toFixed(0)} s, ${left.toFixed(0)} s left`,
    );
  });
  return subtractUsage(from, await platform.usage());
}

/** Measures eval7's evaluations per second, a yardstick for the processor; undefined if eval7 cannot be installed. */
function measureEval7Rate(python: string): number | undefined {
  const uv = join(root, '.tools/python/bin/uv');
  const script = join(root, 'services/lib/holdem/bench/peers.py');
  const args = ['run', '--no-project', '--quiet', '--python', python, '--with', 'eval7==0.1.11', script, '3', 'eval7'];
  try {
    const { rates } = JSON.parse(execFileSync(uv, args, { encoding: 'utf8', timeout: 120_000 })) as { rates: number[] };
    return median(rates);
  } catch {
    return undefined;
  }
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const totalSeconds = (round: Round) => sum(round.seconds.values());

function formatFigures(version: string, played: readonly Round[]): string {
  const row = (label: string, pick: (round: Round) => number, unit: string, digits = 1) => {
    const values = played.map(pick);
    return `| ${label} | ${median(values).toFixed(digits)} ${unit} | ${describeSpread(values, digits)} |`;
  };
  const perMatch = (pick: (round: Round) => number) => (round: Round) => pick(round) / round.matches;
  const parts = [...(played[0]?.seconds ?? [])].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const nightMinutes = (secondsOfMatch: (round: Round) => number) => (round: Round) =>
    (nightMatches * secondsOfMatch(round)) / 60;
  return [
    `${version}: ${played[0]?.matches} matches, ${played[0]?.hands} hands in a round.`,
    '',
    `| what | median of ${played.length} | spread |`,
    '|---|---|---|',
    row('hands', ({ hands, wallS }) => hands / wallS, 'a second', 0),
    row('a match, all parts', perMatch(totalSeconds), 's of a processor', 2),
    row(
      '**share of the bots** (seats)',
      (round) => (100 * (round.seconds.get('seats') ?? 0)) / totalSeconds(round),
      '%',
    ),
    ...parts.map((name) =>
      row(
        `${name}, of a match`,
        perMatch(({ seconds }) => 1000 * (seconds.get(name) ?? 0)),
        'ms of a processor',
        0,
      ),
    ),
    row('stored', ({ bytes, hands }) => bytes / hands, 'bytes a hand', 0),
    row('WAL', ({ walBytes, hands }) => walBytes / hands, 'bytes a hand', 0),
    row(
      'transactions',
      perMatch(({ transactions }) => transactions),
      'a match',
      0,
    ),
    row(`${nightMatches} matches at this speed`, nightMinutes(perMatch(({ wallS }) => wallS)), 'minutes', 0),
    row(
      `${nightMatches} matches if all ${availableParallelism()} processors did nothing else`,
      nightMinutes(perMatch((round) => totalSeconds(round) / availableParallelism())),
      'minutes',
      0,
    ),
  ].join('\n');
}

const run = await BenchRun.start('A benchmark night');
const python = findPython(process.env.PYTHON).path;
const limits = [
  await measureTransportLimitUs(python),
  await measureTransportLimitUs(python),
  await measureTransportLimitUs(python),
];
const eval7 = measureEval7Rate(python);
const other = before === undefined ? undefined : checkOut(before);
const platforms: BenchPlatform[] = [];
const figures: string[] = [];
try {
  platforms.push(await startBenchPlatform('this version', root, models));
  if (other !== undefined) platforms.push(await startBenchPlatform(`${before}`, other.folder, models));
  const played = platforms.map((): Round[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, platform] of platforms.entries()) played[index]?.push(await playRound(platform));
  }
  figures.push(
    `Bare transport ${median(limits).toFixed(1)} us an act (${describeSpread(limits)}); ` +
      `eval7 ${eval7 === undefined ? 'is not installed' : `${(eval7 / 1e6).toFixed(2)} M evaluations a second`}.`,
    ...platforms.map(({ version }, index) => formatFigures(version, played[index] ?? [])),
  );
} finally {
  for (const platform of platforms) await platform.stop();
  other?.remove();
}
await run.finish(figures.join('\n\n'));
