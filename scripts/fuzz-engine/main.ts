// `make fuzz-engine`: random hands through the engine and pokerkit, random seven-card hands through the evaluator and eval7.
// HANDS, SEED, EVAL7_HANDS, WORKERS: sizes; HAND=SEED:NUMBER shows and compares one hand. Exit 1: a difference, 2: wrong usage.
import { availableParallelism } from 'node:os';
import { installPackages } from '../python/packages.ts';
import { findPython } from '../up/preflight.ts';
import { compareHands, shrinkHand } from './compare-hands.ts';
import { compareValues } from './compare-values.ts';
import { describeHand } from './describe-hand.ts';
import type { OraclePython } from './oracle.ts';
import { parseHandId, playHand } from './random-hand.ts';

class WrongUsage extends Error {}

function wholeNumber(name: string, standard: number, max: number): number {
  const text = process.env[name] ?? '';
  if (text === '') return standard;
  if (!/^\d{1,10}$/.test(text) || Number(text) > max)
    throw new WrongUsage(`${name} must be a whole number from 0 to ${max}, not '${text}'.`);
  return Number(text);
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Compares one hand; returns the number of differences. */
async function compareOne(python: OraclePython, text: string): Promise<number> {
  const id = readHandId(text);
  print(describeHand(playHand(id)));
  const whole = await shrinkHand({ python }, id);
  print(whole === null ? 'no smaller hand differs' : `difference in hand ${whole.id}: ${whole.difference}`);
  return whole === null ? 0 : 1;
}

function readHandId(text: string) {
  try {
    return parseHandId(text);
  } catch (error) {
    throw new WrongUsage(`HAND: ${(error as Error).message}.`);
  }
}

/** Compares random hands; returns the number of differences. */
async function comparePlay(python: OraclePython, seed: number, hands: number): Promise<number> {
  const startedMs = performance.now();
  let shown = startedMs;
  const workers = Math.min(wholeNumber('WORKERS', availableParallelism(), 64) || 1, Math.ceil(hands / 1000));
  const onProgress = (done: number) => {
    if (performance.now() - shown < 30_000) return;
    shown = performance.now();
    print(`${done} of ${hands} hands, ${seconds(startedMs)}`);
  };
  const { compared, exceptions, differences, ...total } = await compareHands({
    python,
    seed,
    hands,
    workers,
    onProgress,
  });
  const others = Object.entries(exceptions).map(([reason, count]) => `${reason} ${count}`);
  print(
    `${total.hands} hands of seed ${seed} in ${seconds(startedMs)}, ${compared} of them compared with pokerkit to the end`,
  );
  print(`hands with rules that differ in pokerkit: ${others.join(', ')}`);
  for (const { id, difference } of differences) {
    print(`\nDIFFERENCE ${difference}\n${describeHand(playHand(parseHandId(id)))}`);
    const smaller = await shrinkHand({ python }, parseHandId(id));
    if (smaller !== null) print(`smaller: ${smaller.difference}\n${describeHand(smaller.hand)}`);
    print(`again: make fuzz-engine HAND=${smaller?.id ?? id}`);
  }
  return differences.length;
}

async function main(): Promise<number> {
  const hands = wholeNumber('HANDS', 100_000, 1e9);
  const values = wholeNumber('EVAL7_HANDS', 10_000_000, 1e9);
  const seed = wholeNumber('SEED', Math.floor(Math.random() * 2 ** 32), 2 ** 32 - 1);
  const python = findPython(process.env.PYTHON);
  const packages = await installPackages('peers', python);
  const oracle = { path: python.path, packages };
  const hand = process.env.HAND ?? '';
  if (hand !== '') return compareOne(oracle, hand);
  let differences = hands > 0 ? await comparePlay(oracle, seed, hands) : 0;
  if (values > 0) {
    const startedMs = performance.now();
    const found = await compareValues(oracle, seed, values);
    print(`${found.hands} seven-card hands with ${found.values} values compared with eval7 in ${seconds(startedMs)}`);
    for (const difference of found.differences) print(`DIFFERENCE ${difference}`);
    differences += found.differences.length;
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
