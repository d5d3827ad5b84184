import { formatNumber } from '../lib/format.ts';
import type { Pairs } from './types.ts';

/** Formats a probability: '97.3 %' with a space that does not break, never 0 or 100 %. */
export function formatProbability(probability: number): string {
  if (probability > 0.999) return 'more than 99.9\u00a0%';
  if (probability < 0.001) return 'less than 0.1\u00a0%';
  return `${(probability * 100).toFixed(1)}\u00a0%`;
}

/** Formats a probability for a narrow cell: '97', '>99', '<1'. */
export function formatPercent(probability: number): string {
  const percent = Math.round(probability * 100);
  if (percent === 100) return '>99';
  return percent === 0 ? '<1' : String(percent);
}

export type PairView = {
  /** Probability that the first player is better; null if the data say nothing. */
  better: number | null;
  /** Hands still needed to tell the two apart at 95 %; null if they are told apart, or if no number of hands can be given. */
  needed: number | null;
};

/** Returns what the data say about two players, by name. */
export function pairOf({ usernames, better, hands_needed }: Pairs, first: string, second: string): PairView {
  const [row, column] = [usernames.indexOf(first), usernames.indexOf(second)];
  return { better: better[row]?.[column] ?? null, needed: hands_needed[row]?.[column] ?? null };
}

/** Both directions of an error of 5 % together: the matrix tells a pair apart from these probabilities on. */
const TOLD_APART = 0.975;

/** Whether the data tell two players apart at 95 %. */
export function isToldApart({ better, needed }: PairView): boolean {
  return better !== null && needed === null && Math.max(better, 1 - better) >= TOLD_APART;
}

/** Describes in one or two sentences which of two players is better. */
export function describePair(view: PairView, first: string, second: string): string {
  const { better, needed } = view;
  if (better === null) return `The data cannot compare ${first} and ${second}: they have too few hands.`;
  const [leader, other, probability] = better >= 0.5 ? [first, second, better] : [second, first, 1 - better];
  const says = `The probability that ${leader} is better than ${other} is ${formatProbability(probability)}.`;
  if (isToldApart(view)) return `${says} That tells them apart at 95\u00a0%.`;
  if (needed === null) return `${says} That does not tell them apart at 95\u00a0%.`;
  return `${says} That does not tell them apart at 95\u00a0%: about ${formatNumber(needed)} more hands are needed.`;
}
