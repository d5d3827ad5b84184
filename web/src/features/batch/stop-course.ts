import type { BatchStop } from '../../lib/types.ts';

type Step = NonNullable<BatchStop['pairs']>[number]['course'][number];

export type CourseFigure = {
  /** Path of the interval's area, from the first table at which it is bounded. */
  band: string;
  mean: string;
  /** Height of the line at 0. */
  zero: number;
  top: number;
  bottom: number;
};

/** Returns the drawing of a course in a box of `width` by `height`: tables from left to right, differences from bottom to top. */
export function courseFigure(course: readonly Step[], width: number, height: number): CourseFigure {
  const bounded = course.filter((step) => step.low !== null && step.high !== null);
  // The first intervals are far wider than the rest and would flatten it.
  const readable = bounded.slice(Math.floor(bounded.length / 4));
  const values = [
    0,
    ...course.map((step) => step.mean),
    ...readable.flatMap((step) => [step.low ?? 0, step.high ?? 0]),
  ];
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const span = highest - lowest || 1;
  const last = course.at(-1)?.tables ?? 1;
  const first = course[0]?.tables ?? 1;
  const x = (tables: number) => (last === first ? width / 2 : ((tables - first) / (last - first)) * width);
  const y = (value: number) => height - ((Math.min(highest, Math.max(lowest, value)) - lowest) / span) * height;
  const point = (step: Step, value: number) => `${x(step.tables).toFixed(1)} ${y(value).toFixed(1)}`;
  const upper = bounded.map((step) => point(step, step.high ?? 0));
  const lower = bounded.map((step) => point(step, step.low ?? 0)).reverse();
  return {
    band: bounded.length < 2 ? '' : `M${[...upper, ...lower].join('L')}Z`,
    mean: course.length < 2 ? '' : `M${course.map((step) => point(step, step.mean)).join('L')}`,
    zero: y(0),
    top: highest,
    bottom: lowest,
  };
}

const DECISIONS = {
  better: 'The first is better',
  worse: 'The second is better',
  equivalent: 'No difference above the margin',
  continue: 'Not decided',
} as const;

export const decisionText = (decision: keyof typeof DECISIONS): string => DECISIONS[decision];

/** Returns the rule as a sentence. */
export function ruleSentence({ users, alpha, margin, outdated, stopped_at }: BatchStop): string {
  if (outdated) {
    const idle = stopped_at === null ? ' It does not end the batch any more.' : '';
    return `This rule is of an earlier version, whose error rate did not hold.${idle}`;
  }
  const who = users === null ? 'all pairs of players' : users.join(' and ');
  const equal = margin === null ? '' : ` Differences below ${margin} chips per 100 hands count as equal.`;
  return `The batch ends when the results tell ${who} apart, with at most ${Number((alpha * 100).toPrecision(6))} % probability of a false decision.${equal} The rule was fixed before the first match.`;
}
