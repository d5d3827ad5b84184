import jstat from 'jstat';

/** Returns the probability that a Student t variable is at most `value`. */
export function studentCdf(value: number, degreesOfFreedom: number): number {
  if (!Number.isFinite(value)) return value > 0 ? 1 : 0;
  return jstat.studentt.cdf(value, degreesOfFreedom);
}

/** Returns the value that a Student t variable exceeds with probability 1 - `probability`. */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  return jstat.studentt.inv(probability, degreesOfFreedom);
}

/** Returns the value that a standard normal variable exceeds with probability 1 - `probability`. */
export function normalQuantile(probability: number): number {
  return jstat.normal.inv(probability, 0, 1);
}
