import type { Pairs } from '../lib/types.ts';

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
  /** Probability that the first player is better, 0.5 for equal results, and for others that the test takes for no lead; null if nothing can be said. */
  better: number | null;
  /** Hands that each of the two still has to play to be told apart at 95 %; 0: they are; null: no useful number. */
  needed: number | null;
};

/** Returns what the data say about two players, by name. */
export function pairOf({ usernames, better, hands_needed }: Pairs, first: string, second: string): PairView {
  const [row, column] = [usernames.indexOf(first), usernames.indexOf(second)];
  return { better: better[row]?.[column] ?? null, needed: hands_needed[row]?.[column] ?? null };
}

const about = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Describes in one or two sentences which of two players is better. */
export function describePair({ better, needed }: PairView, first: string, second: string): string {
  if (better === null) return `The data cannot compare ${first} and ${second}: too few matches.`;
  if (better === 0.5 && needed === null)
    return `The data say nothing about who is better: ${first} and ${second} have equal results, or too similar ones.`;
  if (better === 0.5)
    return `The data say nothing about who is better, ${first} or ${second}: each of them has to play about ${about.format(needed ?? 0)} more hands.`;
  const [leader, other, probability] = better > 0.5 ? [first, second, better] : [second, first, 1 - better];
  const says = `The probability that ${leader} is better than ${other} is ${formatProbability(probability)}.`;
  if (needed === 0) return `${says} That tells them apart at 95\u00a0%.`;
  const lacking = `${says} That does not tell them apart at 95\u00a0%:`;
  if (needed === null)
    return `${lacking} their results are too similar, or too few, to plan how many more hands would.`;
  return `${lacking} each of them has to play about ${about.format(needed)} more hands.`;
}
