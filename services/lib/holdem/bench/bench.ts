// Measures the evaluator and the engine together with comparable libraries of npm and PyPI: node bench/bench.ts
// Python libraries are installed into the system's temporary directory and reused. One that cannot be installed is skipped with the reason.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Action } from '../src/action.ts';
import { evaluate, evaluate7 } from '../src/evaluate.ts';
import type { Hand } from '../src/hand.ts';
import { buildTables } from '../src/rank-tables.ts';
import { Table } from '../src/table.ts';
import { seeded, shuffle } from '../test/play.ts';

const RUNS = 7;
const PEERS = path.join(tmpdir(), 'husky-bench-holdem');
const PYTHON_PEERS = path.join(import.meta.dirname, '../../../../scripts/python/peers.txt');

interface Result {
  name: string;
  unit: string;
  rates: number[];
}

interface Skipped {
  name: string;
  skipped: string;
}

const results: (Result | Skipped)[] = [];

function measure(name: string, unit: string, count: number, work: () => unknown): void {
  for (let warm = 0; warm < 3; warm++) work();
  const rates = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return (count / (performance.now() - start)) * 1000;
  });
  results.push({ name, unit, rates });
}

function randomHands(count: number): Uint8Array {
  const random = seeded(1);
  const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
  const hands = new Uint8Array(count * 7);
  for (let hand = 0; hand < count; hand++) {
    shuffle(deck, random);
    hands.set(deck.subarray(0, 7), hand * 7);
  }
  return hands;
}

function benchEvaluator(): void {
  const count = 1 << 20;
  const cards = randomHands(count);
  const at = (index: number): number => cards[index] as number;
  measure('ours, evaluate7', 'evaluations/s', count, () => {
    let sum = 0;
    for (let i = 0; i < cards.length; i += 7) {
      sum += evaluate7(at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5), at(i + 6));
    }
    return sum;
  });
  const hands = Array.from({ length: count }, (_, hand) => cards.subarray(hand * 7, hand * 7 + 7));
  measure('ours, evaluate(cards, 7)', 'evaluations/s', count, () => {
    let sum = 0;
    for (const hand of hands) sum += evaluate(hand, 7);
    return sum;
  });
  benchPhe(cards);
  measure('ours, building the tables', 'builds/s', 1, () => buildTables());
}

function benchPhe(cards: Uint8Array): void {
  const name = 'phe (npm)';
  try {
    const phe = createRequire(import.meta.url)('phe') as { evaluateCardCodes(codes: number[]): number };
    // phe's codes are rank * 4 + suit too; any fixed order of suits gives the same work.
    const hands = Array.from({ length: 1 << 18 }, (_, hand) => [...cards.subarray(hand * 7, hand * 7 + 7)]);
    measure(name, 'evaluations/s', hands.length, () => {
      let sum = 0;
      for (const hand of hands) sum += phe.evaluateCardCodes(hand);
      return sum;
    });
  } catch (error) {
    results.push({ name, skipped: reason(error) });
  }
}

function decide(hand: Hand, random: () => number): void {
  const { canCheck, minRaise, maxRaise } = hand.options();
  const draw = random();
  if (draw < 0.2) hand.act(canCheck ? Action.CHECK : Action.FOLD);
  else if (draw < 0.85 || maxRaise === 0) hand.act(Action.CALL);
  else if (draw > 0.99) hand.act(Action.ALL_IN);
  else hand.act(Action.RAISE, Math.min(maxRaise, minRaise + Math.floor(random() * 2 * minRaise)));
}

function benchEngine(): void {
  const hands = 20_000;
  const random = seeded(2);
  const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
  measure('ours, random six-player play', 'hands/s', hands, () => {
    for (let played = 0; played < hands; played++) {
      const table = new Table({
        rulesVersion: 2,
        players: 6,
        startingStack: 10_000,
        blinds: { bigBlind: 10, multiplier: 1, interval: 1 },
      });
      shuffle(deck, random);
      const hand = table.startHand(deck);
      while (!hand.over) decide(hand, random);
      table.finishHand(hand);
    }
  });
}

function benchPython(): void {
  const python = path.join(PEERS, 'venv', 'bin', 'python');
  try {
    if (!existsSync(python)) {
      mkdirSync(PEERS, { recursive: true });
      execFileSync('python3', ['-m', 'venv', path.dirname(path.dirname(python))], { stdio: 'pipe', timeout: 60_000 });
    }
    const lock = ['--require-hashes', '--only-binary', ':all:', '--requirement', PYTHON_PEERS];
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...lock], { stdio: 'pipe', timeout: 180_000 });
    const script = path.join(import.meta.dirname, 'peers.py');
    const output = execFileSync(python, ['-W', 'ignore', script, String(RUNS)], { encoding: 'utf8', timeout: 180_000 });
    for (const line of output.trim().split('\n')) results.push(JSON.parse(line) as Result | Skipped);
  } catch (error) {
    results.push({ name: 'pokerkit, eval7, treys (PyPI)', skipped: reason(error) });
  }
}

const reason = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

function amount(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} M`;
  return rate >= 1000 ? `${(rate / 1000).toFixed(1)} k` : rate.toFixed(1);
}

function print(): void {
  console.log(`one core; median of ${RUNS} runs (lowest .. highest); ratio: our rate / its rate\n`);
  const rows = [['what', 'median', 'spread', 'unit', 'ratio']];
  const ours = new Map<string, number>();
  for (const result of results) {
    if ('skipped' in result) {
      rows.push([result.name, 'skipped', result.skipped, '', '']);
      continue;
    }
    const middle = median(result.rates);
    const own = ours.get(result.unit) ?? middle;
    ours.set(result.unit, own);
    const spread = `${amount(Math.min(...result.rates))} .. ${amount(Math.max(...result.rates))}`;
    rows.push([
      result.name,
      amount(middle),
      spread,
      result.unit,
      result.name.startsWith('ours') ? '' : `${(own / middle).toFixed(1)}x`,
    ]);
  }
  for (const [what = '', middle = '', spread = '', unit = '', ratio = ''] of rows) {
    console.log(`${what.padEnd(31)}${middle.padStart(9)}  ${spread.padEnd(22)}${unit.padEnd(16)}${ratio}`);
  }
}

benchEvaluator();
benchEngine();
benchPython();
print();
