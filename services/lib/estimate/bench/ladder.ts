// `make bench-ladder`: the ladder on constructed bots of known strength (`ladder-fields.ts`): coverage of its intervals, sets until the order is
// right against random tables, hands until a newcomer is placed, processor time of a set. REPETITIONS (default 10).

import { Ladder } from '../src/ladder.ts';
import { chooseTable } from '../src/ladder-table.ts';
import { BIG_BLIND, BOTS, type Field, fields } from './ladder-fields.ts';
import { Random } from './worlds.ts';

const REPETITIONS = Number(process.env.REPETITIONS ?? 10);
const SETS = 3000;
const CHECK = 25;
const TAU = 0.9;
const SEATS = 6;
const PLACED = 20;
const LARGE = 1000;
const TIMED = 50;

const print = (line = '') => process.stdout.write(`${line}\n`);
const row = (...cells: readonly (string | number)[]) => print(`| ${cells.join(' | ')} |`);
const meanOf = (values: readonly number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

/** Kendall's tau of estimates against the truth. */
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

/** Returns the hands of an ordinary newcomer, at random tables, until its interval is within +-20 big blinds per 100 hands. */
function placeNewcomer(ladder: Ladder, field: Field, random: Random): number {
  const players = [...field.truth.map((_, bot) => ({ player: String(bot) })), { player: 'new' }];
  for (let set = 1; ; set++) {
    const played = field.play(chosenAtRandom(BOTS, random));
    ladder.add({ ...played, seats: played.seats.map((seat, at) => (at === 0 ? { ...seat, player: 'new' } : seat)) });
    const rated = ladder.ratings(players).find(({ player }) => player === 'new');
    if (rated !== undefined && rated.high - rated.rating < PLACED * BIG_BLIND) return set * played.hands;
  }
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
  'a newcomer is placed after',
);
print(`|${'---|'.repeat(COVERAGE.length + 5)}`);
for (const [name, make] of Object.entries(fields)) {
  for (const tables of ['chosen', 'random'] as const) {
    const courses = Array.from({ length: REPETITIONS }, (_, seed) => {
      const random = new Random(seed + 1);
      const field = make(random);
      const course = run(field, tables, random);
      return { ...course, placed: placeNewcomer(course.ladder, field, random) };
    });
    const held = (at: number) => courses.reduce((sum, { covered }) => sum + (covered[at] as number), 0);
    row(
      name,
      tables,
      ...COVERAGE.map((_, at) => `${((100 * held(at)) / BOTS / REPETITIONS).toFixed(1)} %`),
      meanOf(courses.map(({ reached }) => reached)),
      meanOf(courses.map(({ plain }) => plain)),
      `${meanOf(courses.map(({ placed }) => placed))} hands`,
    );
  }
}

print();
const [large, random] = [Ladder.empty(BIG_BLIND), new Random(1)];
const field = fields.even?.(random, LARGE) as Field;
const players = field.truth.map((_, bot) => ({ player: String(bot) }));
const next = () => field.play(chosenAtRandom(LARGE, random));
for (let set = 0; set < LARGE; set++) large.add(next());
const began = process.cpuUsage();
for (let set = 0; set < TIMED; set++) {
  large.add(next());
  large.ratings(players);
}
const { user, system } = process.cpuUsage(began);
print(`${LARGE} bots: ${((user + system) / TIMED / 1000).toFixed(0)} ms of processor time for a set and all ratings`);
