// `make bench`: measures hands per second through real sandboxed seats, the engine alone, and stored bytes, and compares them
// with the transport's upper bound and with other libraries.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exampleBots } from '../../demo/accounts.ts';
import { findPython } from '../../up/preflight.ts';
import { startBench } from './bench-run.ts';
import { describeSpread, median } from './machine.ts';
import { measureStorage } from './storage.ts';
import { measureTransportLimitUs } from './transport.ts';

interface MatchResult {
  handsPlayed: number;
  acts: number;
  seconds: number;
  handsPerSecond: number;
  usPerAct: number;
  openMs: number;
}

const root = join(import.meta.dirname, '../../..');
const python = findPython(process.env.PYTHON).path;
const runs = 5;

function playMatches(bots: readonly string[], ...flags: readonly string[]): MatchResult[] {
  const args = [
    'services/runner/bench/match.ts',
    '--json',
    '--cpu',
    '0',
    '--runs',
    String(runs),
    '--bots',
    bots.join(','),
    '--python',
    python,
    ...flags,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`the match bench failed: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as MatchResult[];
}

const lines: string[] = [];
function row(label: string, values: readonly number[], unit: string, comparison = '', digits = 1): void {
  lines.push(
    `| ${label} | ${median(values).toFixed(digits)} ${unit} | ${describeSpread(values, digits)} | ${comparison} |`,
  );
}

const finish = await startBench();
process.stdout.write(
  'measuring the transport alone, matches of six bots, storage, and the engine (some minutes) ...\n',
);
const limits: number[] = [];
for (let run = 0; run < runs; run++) limits.push(await measureTransportLimitUs(python));
const limitUs = median(limits);
const trivial = playMatches(Array<string>(6).fill('trivial'));
const unconfined = playMatches(Array<string>(6).fill('trivial'), '--unconfined');
const house = playMatches(exampleBots);
const stored = await measureStorage();

const ofTrivial = (pick: (result: MatchResult) => number) => trivial.map(pick);
row('transport alone: six Python children in turn, 500 bytes', limits, 'us an act', 'the limit: 1x');
row(
  'six trivial bots, 1,000 hands, sandboxed seats',
  ofTrivial((r) => r.handsPerSecond),
  'hands/s',
  `${(median(ofTrivial((r) => r.handsPerSecond)) / 5.06).toFixed(0)}x the peer's 5.06 (target 120x)`,
  0,
);
row(
  'the same, time of the match',
  ofTrivial((r) => r.seconds),
  's',
  'target 1.6',
  2,
);
row(
  'the same, an act',
  ofTrivial((r) => r.usPerAct),
  'us',
  `${(median(ofTrivial((r) => r.usPerAct)) / limitUs).toFixed(1)}x the limit (target 65 us)`,
);
row(
  'the same, six seats ready',
  ofTrivial((r) => r.openMs),
  'ms',
  'target 10 a seat',
);
row(
  'decisions, sandboxed seats',
  ofTrivial((r) => r.acts / r.seconds),
  'a second',
  '',
  0,
);
row(
  'decisions, seats without a sandbox',
  unconfined.map((r) => r.acts / r.seconds),
  'a second',
  '',
  0,
);
row(
  'six seats ready, without a sandbox',
  unconfined.map((r) => r.openMs),
  'ms',
);
row(
  'six house bots, 1,000 hands, sandboxed seats',
  house.map((r) => r.handsPerSecond),
  'hands/s',
  `${median(house.map((r) => r.acts / r.handsPlayed)).toFixed(1)} acts a hand`,
  0,
);
row(
  'the same, time of the match',
  house.map((r) => r.seconds),
  's',
  '',
  2,
);
row(
  'stored in all tables and indexes',
  [stored.bytesPerHand],
  'bytes a hand',
  `${stored.hands} hands of house bots; target 150`,
  0,
);
row('make demo, from sign-in to the leaderboard', [stored.demoSeconds], 's', '1,000 hands');

const engine = spawnSync(process.execPath, ['services/lib/holdem/bench/bench.ts'], { cwd: root, encoding: 'utf8' });
if (engine.status !== 0) throw new Error(`the engine's bench failed: ${engine.stderr}`);
const head = [`| what | median of ${runs} | spread | beside |`, '|---|---|---|---|'];
await finish([...head, ...lines, '', '```', engine.stdout.trim(), '```'].join('\n'));
