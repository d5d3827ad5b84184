// Part of `make bench-ladder`: trials between two versions with a known difference. A wrong verdict: 'better' or 'worse' of equal ones, the reverse of
// a difference, 'no_difference' at the margin or beyond. Against the fixed number of pairs whose 95 % interval excludes both margins for equal versions with
// a probability of 90 %; a trial may play twice as many. TRIALS (default 1,000).
import { type TrialPair, trialDecision } from '../src/trial.ts';
import { Random } from './worlds.ts';

const REPETITIONS = Number(process.env.TRIALS ?? 1000);
const ALPHA = 0.05;
const MARGIN = 100;
/** Hands of each version in a deal set, and the deviation of a pair's difference in margins, per 100 hands. */
const HANDS = 300;
const DEVIATION = 4 * MARGIN;
const FIXED = Math.ceil(((1.96 + 1.645) * DEVIATION) ** 2 / MARGIN ** 2);

/** Chance with mean 0 and deviation 1. */
const chances: Readonly<Record<string, (random: Random) => number>> = {
  normal: (random) => random.normal(),
  'heavy tails (Student, 3 degrees)': (random) => random.heavy() / Math.sqrt(3),
  'equal in nine of ten sets': (random) => (random.chance(0.1) ? Math.sqrt(10) * random.normal() : 0),
  'skewed (exponential)': (random) => -Math.log(1 - random.uniform()) - 1,
  'wins rarely (one set in ten)': (random) => (random.chance(0.1) ? 3 : -1 / 3),
};

function verdictOf(difference: number, chance: (random: Random) => number, random: Random) {
  const pairs: TrialPair[] = [];
  while (pairs.length < 2 * FIXED) {
    pairs.push({ difference: (HANDS / 100) * (difference + DEVIATION * chance(random)), hands: HANDS });
    // As the platform does: after each pair at first, then after each twentieth more.
    if (pairs.length % Math.ceil(pairs.length / 20) > 0) continue;
    const { verdict } = trialDecision(pairs, { alpha: ALPHA, margin: MARGIN });
    if (verdict !== 'undecided') return { verdict, pairs: pairs.length };
  }
  return { verdict: 'undecided', pairs: pairs.length } as const;
}

process.stdout.write(
  `| fixed length: ${FIXED} pairs | difference / margin | wrong | better | no difference | undecided | hands saved |\n|---|---|---|---|---|---|---|\n`,
);
for (const [name, chance] of Object.entries(chances)) {
  for (const [ratio, wrong] of [
    [0, ['better', 'worse']],
    [1, ['worse', 'no_difference']],
    [2, ['worse', 'no_difference']],
    [4, ['worse', 'no_difference']],
  ] as const) {
    const found = Array.from({ length: REPETITIONS }, (_, seed) =>
      verdictOf(ratio * MARGIN, chance, new Random(seed + 1)),
    );
    const share = (verdicts: readonly string[]) =>
      `${((100 * found.filter(({ verdict }) => verdicts.includes(verdict)).length) / REPETITIONS).toFixed(1)} %`;
    const saved = 1 - found.reduce((sum, { pairs }) => sum + pairs, 0) / REPETITIONS / FIXED;
    const cells = [
      name,
      ratio,
      share(wrong),
      share(['better']),
      share(['no_difference']),
      share(['undecided']),
      `${(100 * saved).toFixed(0)} %`,
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
