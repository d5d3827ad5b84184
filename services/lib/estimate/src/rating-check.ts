import { type Finish, fitStrengths, stagesOf } from './rating.ts';

/** How well ratings predict tables that they were not fitted to. */
export interface RatingCheck {
  /** Pairs of players of one table whose order was predicted; ties left out. */
  readonly pairs: number;
  /** Share of them that the ratings expect to predict correctly, and share that was. */
  readonly expected: number;
  readonly correct: number;
  /** Standard error of correct - expected, over whole tables. */
  readonly standardError: number;
}

const folds = 5;
const minTables = 20;

/**
 * Fits ratings to four fifths of the tables and predicts the order of each pair in the others, five times. Ratings that claim more than they
 * know have `expected` above `correct`. Null with fewer than 20 tables that order somebody.
 */
export function checkRating(finishes: readonly Finish[], players: number): RatingCheck | null {
  const tables = finishes.filter((finish) => stagesOf(finish).length > 0);
  if (tables.length < minTables) return null;
  let [pairs, expected, correct, squares] = [0, 0, 0, 0];
  for (let fold = 0; fold < folds; fold++) {
    const inFold = (_: Finish, index: number) => index % folds === fold;
    const logs = fitStrengths(tables.filter((table, index) => !inFold(table, index)).flatMap(stagesOf), players);
    for (const { players: seated, won } of tables.filter(inFold)) {
      let surplus = 0;
      for (const [a, one] of seated.entries()) {
        for (const [b, two] of seated.entries()) {
          const gap = (logs[one] ?? 0) - (logs[two] ?? 0);
          if (won[a] === won[b] || gap < 0 || (gap === 0 && a < b)) continue;
          const probability = 1 / (1 + Math.exp(-gap));
          const right = (won[a] ?? 0) > (won[b] ?? 0) ? 1 : 0;
          pairs += 1;
          expected += probability;
          correct += right;
          surplus += right - probability;
        }
      }
      squares += surplus ** 2;
    }
  }
  if (pairs === 0) return null;
  return { pairs, expected: expected / pairs, correct: correct / pairs, standardError: Math.sqrt(squares) / pairs };
}
