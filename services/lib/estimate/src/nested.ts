import { normalQuantile, studentQuantile } from './intervals.ts';

/** A bot of a model with the standard error of its mean over hands. */
export interface BotEstimate {
  readonly mean: number;
  readonly standardError: number;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** A model's mean over its bots, with 95 % intervals. */
export interface NestedEstimate {
  readonly mean: number;
  /** Of the mean of all bots that the model would write; null for one bot, which does not show how much they differ. */
  readonly overBots: Range | null;
  /** Of the mean of these very bots. */
  readonly overHands: Range;
  /** Standard deviation between the bots, without that of the hands; null for one bot. */
  readonly betweenBots: number | null;
}

const tail = 0.975;

/**
 * Estimates a model by the bots that it wrote: bots are drawn from the model, hands are played by bots (Searle, Casella and McCulloch, *Variance
 * Components*, 1992, chapter 3). The variance between the means of k bots holds both parts, so Student's t with k - 1 degrees of freedom is the
 * interval over bots; where it is below that of the hands alone, the larger one counts. Throws RangeError without bots.
 */
export function nestedEstimate(bots: readonly BotEstimate[]): NestedEstimate {
  const count = bots.length;
  if (count === 0) throw new RangeError('a model needs a bot');
  const mean = bots.reduce((sum, bot) => sum + bot.mean, 0) / count;
  const within = bots.reduce((sum, { standardError }) => sum + standardError ** 2, 0) / count;
  const around = (half: number): Range => ({ low: mean - half, high: mean + half });
  const overHands = around(normalQuantile(tail) * Math.sqrt(within / count));
  if (count === 1) return { mean, overBots: null, overHands, betweenBots: null };
  const variance = bots.reduce((sum, bot) => sum + (bot.mean - mean) ** 2, 0) / (count - 1);
  return {
    mean,
    overBots: around(studentQuantile(tail, count - 1) * Math.sqrt(Math.max(variance, within) / count)),
    overHands,
    betweenBots: Math.sqrt(Math.max(0, variance - within)),
  };
}
