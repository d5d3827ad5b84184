import { normalQuantile } from './intervals.ts';

/** Players of one table with what each won; equal values are ties. */
export interface Finish {
  readonly players: readonly number[];
  readonly won: readonly number[];
}

/** A rating with its 95 % interval. 1500 is the mean of all rated players; 400 points more are ten times the strength. */
export interface Rating {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

// A win and a loss of this weight against a virtual player of mean strength keep strengths finite: without them a player who always finishes first
// would have an infinite one.
const pseudoWeight = 0.5;
const pointsPerLog = 400 / Math.LN10;
const meanPoints = 1500;

/** The players who finished in one place, and all players who did not finish before them, themselves included. */
export interface Stage {
  readonly placed: readonly number[];
  readonly remaining: readonly number[];
}

/**
 * Fits a Plackett-Luce model to finishing orders: the probability that a player is first is its strength over the sum of all strengths at
 * the table, and so on for the remaining ones. Ties by Breslow's approximation; players who tie for the last place are not ordered. Maximum
 * of the penalised likelihood by Hunter's (2004) MM algorithm. Interval: the larger of the errors from the observed information and of the robust
 * ones ("sandwich", White 1982), which hold without the model. Null for a player without any order.
 */
export function rate(finishes: readonly Finish[], players: number): (Rating | null)[] {
  const tables = finishes.map(stagesOf).filter(({ length }) => length > 0);
  const seen = new Set(finishes.flatMap((finish) => (finish.players.length > 1 ? finish.players : [])));
  if (tables.length === 0) return Array.from({ length: players }, () => null);
  const logs = fitStrengths(tables.flat(), players);
  const rated = [...seen].sort((a, b) => a - b);
  const mean = rated.reduce((sum, player) => sum + (logs[player] ?? 0), 0) / rated.length;
  const deviations = standardErrors(tables, logs, rated);
  const ratings: (Rating | null)[] = Array.from({ length: players }, () => null);
  for (const [index, player] of rated.entries()) {
    const value = meanPoints + pointsPerLog * ((logs[player] ?? 0) - mean);
    const half = normalQuantile(0.975) * pointsPerLog * (deviations[index] ?? 0);
    ratings[player] = { value, low: value - half, high: value + half };
  }
  return ratings;
}

/** Returns the stages of a finishing order; the last place is none, because it orders nobody. */
export function stagesOf({ players, won }: Finish): Stage[] {
  const order = players.map((player, index) => ({ player, won: won[index] ?? 0 })).sort((a, b) => b.won - a.won);
  const stages: Stage[] = [];
  for (let at = 0; at < order.length; ) {
    const placed = order.filter((one) => one.won === order[at]?.won).map(({ player }) => player);
    const remaining = order.slice(at).map(({ player }) => player);
    if (placed.length < remaining.length) stages.push({ placed, remaining });
    at += placed.length;
  }
  return stages;
}

/**
 * Fits the strengths and returns their logarithms; the virtual player has 0. `weight` is that of its win and its loss against everybody;
 * with 0 the sum of the logarithms is arbitrary.
 */
export function fitStrengths(stages: readonly Stage[], players: number, weight = pseudoWeight): Float64Array {
  const wins = new Float64Array(players).fill(weight);
  for (const { placed } of stages) for (const player of placed) wins[player] = (wins[player] ?? 0) + 1;
  const lambda = new Float64Array(players).fill(1);
  for (let iteration = 0; iteration < 5000; iteration++) {
    const weights = new Float64Array(players);
    for (let player = 0; player < players; player++) weights[player] = (2 * weight) / (1 + (lambda[player] ?? 0));
    for (const { placed, remaining } of stages) {
      let sum = 0;
      for (const player of remaining) sum += lambda[player] as number;
      const share = placed.length / sum;
      for (const player of remaining) weights[player] = (weights[player] as number) + share;
    }
    let change = 0;
    for (let player = 0; player < players; player++) {
      const next = (wins[player] as number) / (weights[player] as number);
      change = Math.max(change, Math.abs(Math.log(next / (lambda[player] as number))));
      lambda[player] = next;
    }
    if (change < 1e-9) break;
  }
  return lambda.map(Math.log);
}

/** Returns the standard errors of the logarithms of strengths less their mean: of each the larger of the two kinds. */
function standardErrors(tables: readonly (readonly Stage[])[], logs: Float64Array, rated: readonly number[]): number[] {
  const indexOf = new Map(rated.map((player, index) => [player, index]));
  const information = rated.map((player, index) => {
    const row = new Float64Array(rated.length);
    const p = 1 / (1 + Math.exp(-(logs[player] ?? 0)));
    row[index] = 2 * pseudoWeight * p * (1 - p);
    return row;
  });
  const outer = rated.map(() => new Float64Array(rated.length));
  for (const stages of tables) {
    const score = new Float64Array(rated.length);
    for (const { placed, remaining } of stages) {
      const lambda = remaining.map((player) => Math.exp(logs[player] ?? 0));
      const sum = lambda.reduce((total, value) => total + value, 0);
      const places = remaining.map((player) => indexOf.get(player) ?? 0);
      for (const player of placed) add(score, indexOf.get(player) ?? 0, 1);
      for (const [a, one] of places.entries()) {
        const p = (lambda[a] ?? 0) / sum;
        add(score, one, -placed.length * p);
        for (const [b, two] of places.entries()) {
          const q = (lambda[b] ?? 0) / sum;
          add(information[one], two, placed.length * ((a === b ? p : 0) - p * q));
        }
      }
    }
    for (const [one, value] of score.entries())
      for (const [two, other] of score.entries()) add(outer[one], two, value * other);
  }
  const covariance = invert(information);
  const small = tables.length / Math.max(1, tables.length - 1);
  const robust = multiply(multiply(covariance, outer), covariance).map((row) => row.map((value) => small * value));
  const kinds = [covariance, robust].map(errorsFromMean);
  return rated.map((_, index) => Math.max(...kinds.map((errors) => errors[index] ?? 0)));
}

/** Returns the standard errors of variables less their mean. */
function errorsFromMean(covariance: readonly Float64Array[]): number[] {
  const count = covariance.length;
  const rowMeans = covariance.map((row) => row.reduce((sum, value) => sum + value, 0) / count);
  const mean = rowMeans.reduce((sum, value) => sum + value, 0) / count;
  return covariance.map((row, index) => Math.sqrt(Math.max(0, (row[index] ?? 0) - 2 * (rowMeans[index] ?? 0) + mean)));
}

function add(row: Float64Array | undefined, at: number, value: number): void {
  if (row !== undefined) row[at] = (row[at] ?? 0) + value;
}

function multiply(one: readonly Float64Array[], two: readonly Float64Array[]): Float64Array[] {
  return one.map((row) =>
    Float64Array.from(row, (_, column) => row.reduce((sum, value, at) => sum + value * (two[at]?.[column] ?? 0), 0)),
  );
}

/** Inverts a symmetric positive definite matrix by Gauss-Jordan elimination. */
function invert(matrix: readonly Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const rows = matrix.map((row, index) => {
    const wide = new Float64Array(2 * size);
    wide.set(row);
    wide[size + index] = 1;
    return wide;
  });
  for (let pivot = 0; pivot < size; pivot++) {
    const pivotRow = rows[pivot] as Float64Array;
    const scale = 1 / (pivotRow[pivot] as number);
    for (let column = 0; column < 2 * size; column++) pivotRow[column] = (pivotRow[column] as number) * scale;
    for (let index = 0; index < size; index++) {
      const row = rows[index] as Float64Array;
      const factor = row[pivot] as number;
      if (index === pivot || factor === 0) continue;
      for (let column = pivot; column < 2 * size; column++) {
        row[column] = (row[column] as number) - factor * (pivotRow[column] as number);
      }
    }
  }
  return rows.map((row) => row.slice(size));
}
