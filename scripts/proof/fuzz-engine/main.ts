// `make fuzz-engine`: compares random hands of the engine with pokerkit, and values of random seven-card hands with eval7.
// README.md has the variables and exit codes.
import { availableParallelism } from 'node:os';
import { installPackages } from '../../python/packages.ts';
import { findPython } from '../../up/preflight.ts';
import { compareHands, shrinkHand } from './compare-hands.ts';
import { compareValues } from './compare-values.ts';
import type { OraclePython } from './oracle.ts';
import { describeHand, parseHandId, playHand } from './random-hand.ts';

class WrongUsage extends Error {}

function readInteger(name: string, defaultValue: number, max: number): number {
  const text = process.env[name] ?? '';
  if (text === '') return defaultValue;
  if (!/^\d{1,10}$/.test(text) || Number(text) > max)
    throw new WrongUsage(`${name} must be an integer from 0 to ${max}, not '${text}'.`);
  return Number(text);
}

const secondsSince = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Compares one hand. Returns the number of differences. */
async function compareOne(python: OraclePython, text: string): Promise<number> {
  const id = readHandId(text);
  print(describeHand(playHand(id)));
  const smaller = await shrinkHand({ python }, id);
  print(smaller === null ? 'no smaller hand differs' : `difference in hand ${smaller.id}: ${smaller.difference}`);
  return smaller === null ? 0 : 1;
}

function readHandId(text: string) {
  try {
    return parseHandId(text);
  } catch (error) {
    throw new WrongUsage(`HAND: ${(error as Error).message}.`);
  }
}

/** Compares random hands. Returns the number of differences. */
async function comparePlay(python: OraclePython, seed: number, hands: number): Promise<number> {
  const startedMs = performance.now();
  let printedMs = startedMs;
  const workers = Math.min(readInteger('WORKERS', availableParallelism(), 64) || 1, Math.ceil(hands / 1000));
  const onProgress = (done: number) => {
    if (performance.now() - printedMs < 30_000) return;
    printedMs = performance.now();
    print(`${done} of ${hands} hands, ${secondsSince(startedMs)}`);
  };
  const { compared, exceptions, differences, ...total } = await compareHands({
    python,
    seed,
    hands,
    workers,
    onProgress,
  });
  const reasons = Object.entries(exceptions).map(([reason, count]) => `${reason} ${count}`);
  print(
    `${total.hands} hands of seed ${seed} in ${secondsSince(startedMs)}, ${compared} of them compared with pokerkit to the end`,
  );
  print(`hands in which pokerkit applies other rules: ${reasons.join(', ')}`);
  for (const { id, difference } of differences) {
    print(`\nDIFFERENCE ${difference}\n${describeHand(playHand(parseHandId(id)))}`);
    const smaller = await shrinkHand({ python }, parseHandId(id));
    if (smaller !== null) print(`smaller: ${smaller.difference}\n${describeHand(smaller.hand)}`);
    print(`repeat with: make fuzz-engine HAND=${smaller?.id ?? id}`);
  }
  return differences.length;
}

async function main(): Promise<number> {
  const hands = readInteger('HANDS', 100_000, 1e9);
  const values = readInteger('EVAL7_HANDS', 10_000_000, 1e9);
  const seed = readInteger('SEED', Math.floor(Math.random() * 2 ** 32), 2 ** 32 - 1);
  const python = findPython(process.env.PYTHON);
  const packages = await installPackages('peers', python);
  const oracle = { path: python.path, packages };
  const hand = process.env.HAND ?? '';
  if (hand !== '') return compareOne(oracle, hand);
  let differences = hands > 0 ? await comparePlay(oracle, seed, hands) : 0;
  if (values > 0) {
    const startedMs = performance.now();
    const comparison = await compareValues(oracle, seed, values);
    print(
      `${comparison.hands} seven-card hands with ${comparison.values} values compared with eval7 in ${secondsSince(startedMs)}`,
    );
    for (const difference of comparison.differences) print(`DIFFERENCE ${difference}`);
    differences += comparison.differences.length;
  }
  print(differences === 0 ? 'no difference' : `${differences} differences`);
  return differences;
}

try {
  process.exitCode = (await main()) > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
