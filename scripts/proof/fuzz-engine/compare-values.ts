// Compares the seven-card evaluator with eval7 for random hands.
import { cardCode } from '@husky/holdem/card';
import { evaluate7 } from '@husky/holdem/evaluate';
import { type OraclePython, runOracle } from './oracle.ts';
import { createRandom } from './random-hand.ts';

export interface ValueComparison {
  readonly hands: number;
  /** Number of different values that occurred; seven cards have 4,824. */
  readonly values: number;
  readonly differences: readonly string[];
}

type Evaluate = (...cards: readonly [number, number, number, number, number, number, number]) => number;

const batchHands = 50_000;
const recordBytes = 9;

/** Draws random hands of seven cards. A record has the cards, one byte each, and the value in two bytes, little-endian. */
function* records(seed: number, hands: number, evaluate: Evaluate): Generator<Buffer> {
  const random = createRandom(seed, 0, 3);
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let done = 0; done < hands; done += batchHands) {
    const count = Math.min(batchHands, hands - done);
    const batch = Buffer.allocUnsafe(count * recordBytes);
    for (let index = 0; index < count; index++) {
      for (let place = 0; place < 7; place++) {
        const other = place + Math.floor(random() * (52 - place));
        const card = deck[other] as number;
        deck[other] = deck[place] as number;
        deck[place] = card;
        batch[index * recordBytes + place] = card;
      }
      const [a, b, c, d, e, f, g] = deck as [number, number, number, number, number, number, number];
      batch.writeUInt16LE(evaluate(a, b, c, d, e, f, g), index * recordBytes + 7);
    }
    yield batch;
  }
}

/** Compares the ranking of random seven-card hands: equal values must be equal in eval7, and higher values higher. */
export async function compareValues(
  python: OraclePython,
  seed: number,
  hands: number,
  evaluate: Evaluate = evaluate7,
): Promise<ValueComparison> {
  let result: ValueComparison | null = null;
  const codes = Buffer.from(`${Array.from({ length: 52 }, (_, card) => cardCode(card)).join('')}\n`);
  function* input(): Generator<Buffer> {
    yield codes;
    yield* records(seed, hands, evaluate);
  }
  await runOracle(python, 'eval7_oracle.py', input(), (line) => {
    result = line as unknown as ValueComparison;
  });
  if (result === null) throw new Error('eval7_oracle.py ended without a result');
  return result;
}
