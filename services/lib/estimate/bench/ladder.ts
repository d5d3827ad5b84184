// `make bench-ladder`: the ladder on constructed bots of known strength (`ladder-fields.ts`): coverage of its intervals, sets until the order is
// right against random tables, hands until a newcomer is placed, errors and savings of trials, processor time of a set.
// REPETITIONS (default 20; trials: 50 times as many).

import { Ladder } from '../src/ladder.ts';
import { chooseTable } from '../src/ladder-table.ts';
import { BIG_BLIND, BOTS, type Field, fields } from './ladder-fields.ts';
import { Random } from './worlds.ts';

const REPETITIONS = Number(process.env.REPETITIONS ?? 20);
const SETS = 3000;
const CHECK = 25;
const TAU = 0.9;
const SEATS = 6;

const print = (line = '') => process.stdout.write(`${line}\n`);
const row = (...cells: readonly (string | number)[]) => print(`| ${cells.join(' | ')} |`);
const median = (values: readonly number[]) => Math.round(values.reduce((s, v) => s + v, 0) / values.length);
const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`;

/** Kendall's tau-b of estimates against the truth. */
function kendall(estimates: readonly number[], truth: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < truth.length; i++)
    for (let j = 0; j < i; j++)
      sum += Math.sign(
        ((estimates[i] as number) - (estimates[j] as number)) * ((truth[i] as number) - (truth[j] as number)),
      );
  return (2 * sum) / (truth.length * (truth.length - 1));
}

type Tables = 'chosen' | 'random';
interface Course {
  readonly ladder: Ladder;
  /** Sets until tau first reaches the goal; of the ladder's ratings, and of plain means. */
  readonly reached: number;
  readonly plain: number;
  /** Covered and all intervals, at each of `COVERAGE`. */
  readonly covered: number[];
}
const COVERAGE = [200, 600, 1500, 3000];

function run(field: Field, tables: Tables, random: Random): Course {
  const ladder = Ladder.empty(BIG_BLIND);
  const players = field.truth.map((_, bot) => ({ player: String(bot) }));
  const sums = field.truth.map(() => ({ value: 0, hands: 0, at: null as number | null, sets: 0 }));
  let ratings = ladder.ratings(players);
  let [reached, plain] = [SETS, SETS];
  const covered: number[] = [];
  for (let set = 1; set <= SETS; set++) {
    const chosen =
      tables === 'random'
        ? chosenAtRandom(field.truth.length, random)
        : chooseTable(
            ratings.map((rating) => ({
              ...rating,
              owner: rating.player,
              half: rating.high - rating.rating,
              sets: sums[Number(rating.player)]?.sets ?? 0,
              lastSetAt: sums[Number(rating.player)]?.at ?? null,
            })),
            () => random.uniform(),
          ).map(Number);
    const played = field.play(chosen);
    ladder.add(played);
    for (const { player, value } of played.seats) {
      const sum = sums[Number(player)] as (typeof sums)[number];
      sum.value += value;
      sum.hands += played.hands;
      sum.at = set;
      sum.sets += 1;
    }
    if (set % 5 === 0) ratings = ladder.ratings(players);
    if (set % CHECK === 0) {
      const estimates = field.truth.map(() => 0);
      for (const { player, rating } of ratings) estimates[Number(player)] = rating;
      if (reached === SETS && kendall(estimates, field.truth) >= TAU) reached = set;
      if (
        plain === SETS &&
        kendall(
          sums.map(({ value, hands }) => value / Math.max(1, hands)),
          field.truth,
        ) >= TAU
      )
        plain = set;
    }
    if (COVERAGE.includes(set))
      covered.push(
        ratings.filter(
          ({ player, low, high }) =>
            low <= (field.truth[Number(player)] as number) && (field.truth[Number(player)] as number) <= high,
        ).length,
      );
  }
  return { ladder, reached, plain, covered };
}

function chosenAtRandom(bots: number, random: Random): number[] {
  const chosen = new Set<number>();
  while (chosen.size < SEATS) chosen.add(Math.floor(bots * random.uniform()));
  return [...chosen];
}

row(
  'field',
  'tables',
  ...COVERAGE.map((sets) => `holds after ${sets} sets`),
  `sets until tau is ${TAU}`,
  'by plain means',
);
print(`|${'---|'.repeat(COVERAGE.length + 4)}`);
for (const [name, make] of Object.entries(fields).filter(([name]) => name.includes(process.env.FIELD ?? ''))) {
  for (const tables of ['chosen', 'random'] as const) {
    const courses = Array.from({ length: REPETITIONS }, (_, seed) => {
      const random = new Random(seed + 1);
      return run(make(random), tables, random);
    });
    row(
      name,
      tables,
      ...COVERAGE.map((_, at) =>
        percent(
          courses.reduce((sum, { covered }) => sum + (covered[at] as number), 0),
          BOTS * REPETITIONS,
        ),
      ),
      median(courses.map(({ reached }) => reached)),
      median(courses.map(({ plain }) => plain)),
    );
  }
}
