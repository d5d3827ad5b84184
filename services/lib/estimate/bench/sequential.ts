// `npx node services/lib/estimate/bench/sequential.ts`: how often the stopping rule errs, and how many tables it needs. Every world has
// known expected rates. Prints for each the share of courses in which any player's interval ever missed its rate (at most 5 % is
// stated), and in which any decision was false.
// REPETITIONS (default 1,000), TABLES (default 112).
import { seededRandom } from '../src/random.ts';
import { compareRates, confidenceSequence, type TableBounds, type TableSum } from '../src/sequential.ts';

const REPETITIONS = Number(process.env.REPETITIONS ?? 1000);
const TABLES = Number(process.env.TABLES ?? 112);
const ALPHA = 0.05;
/** Differences in expectation below it are no differences: rounding. */
const EQUAL = 1e-6;
const STACK = 10_000;
const SEATS = 6;
const HANDS = 1000;
const ROTATIONS = 6;

type Random = () => number;
/** Winnings by seat and hands of one table, or what is expected of them. */
interface Table {
  readonly won: readonly number[];
  readonly hands: number;
}
interface World {
  readonly play: (players: readonly number[], random: Random) => Table;
  readonly expected: (players: readonly number[]) => Table;
  /** Matches of a table; default 1. */
  readonly matches?: number;
  /** Tables in the order of the combinations instead of a random one. */
  readonly sorted?: boolean;
}

const uniform = (random: Random, low: number, high: number) => low + (high - low) * random();
const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const limited = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
const whole = (low: number, high: number, random: Random) => Math.floor(uniform(random, low, high + 1));
const nobody = (players: readonly number[]) => players.map(() => 0);
const even =
  (hands: number) =>
  (players: readonly number[]): Table => ({ won: nobody(players), hands });

/** Three pairs of seats, drawn anew for each table, each move chips between them. */
function transfers(players: readonly number[], random: Random, draw: (random: Random) => number): number[] {
  const won = nobody(players);
  const seats = players.map((_, seat) => seat).sort(() => random() - 0.5);
  for (let pair = 0; pair < SEATS; pair += 2) {
    const amount = limited(draw(random), STACK);
    won[seats[pair] as number] = amount;
    won[seats[pair + 1] as number] = -amount;
  }
  return won;
}

/** The winner takes all chips. */
const takesAll = (players: readonly number[], winner: number) =>
  players.map((_, seat) => (seat === winner ? (SEATS - 1) * STACK : -STACK));

/** Player 0 wins all chips with this probability, if it sits; otherwise each of the others is as likely. */
function dominated(share: number, hands: (won: boolean, random: Random) => number, expectedHands: number): World {
  return {
    play(players, random) {
      const leader = players.indexOf(0);
      if (leader < 0) return { won: takesAll(players, whole(0, SEATS - 1, random)), hands: HANDS };
      const won = random() < share;
      const others = players.map((_, seat) => seat).filter((seat) => seat !== leader);
      const winner = won ? leader : (others[whole(0, others.length - 1, random)] as number);
      return { won: takesAll(players, winner), hands: hands(won, random) };
    },
    expected(players) {
      if (!players.includes(0)) return even(HANDS)(players);
      const leader = (SEATS * share - 1) * STACK;
      return { won: players.map((player) => (player === 0 ? leader : -leader / (SEATS - 1))), hands: expectedHands };
    },
  };
}

/** Player 1 loses 8,000 chips to player 0, or to all others if that one does not sit there. */
function feeds(players: readonly number[]): Table {
  const [feeder, fed] = [players.indexOf(1), players.indexOf(0)];
  if (feeder < 0) return even(HANDS)(players);
  const share = (seat: number) => (fed < 0 ? 1 / (SEATS - 1) : Number(seat === fed));
  return { won: players.map((_, seat) => 8000 * (seat === feeder ? -1 : share(seat))), hands: HANDS };
}
const opponentsMatter: World = {
  play(players, random) {
    const noise = transfers(players, random, (draw) => (draw() < 0.5 ? -2000 : 2000));
    return { won: feeds(players).won.map((value, seat) => value + (noise[seat] as number)), hands: HANDS };
  },
  expected: feeds,
};

const worlds: Readonly<Record<string, World>> = {
  normal: {
    play: (players, random) => ({ won: transfers(players, random, (draw) => 3000 * normal(draw)), hands: HANDS }),
    expected: even(HANDS),
  },
  'heavy tails': {
    play: (players, random) => ({
      won: transfers(players, random, (draw) => (draw() < 0.5 ? -1 : 1) * 100 * (1 - draw()) ** (-1 / 1.2)),
      hands: HANDS,
    }),
    expected: even(HANDS),
  },
  'all-in lottery': {
    play: (players, random) => ({
      won: takesAll(players, whole(0, SEATS - 1, random)),
      hands: whole(1, 200, random),
    }),
    expected: even(100.5),
  },
  'identical bots in deal sets': {
    play: even(ROTATIONS * HANDS),
    expected: even(ROTATIONS * HANDS),
    matches: ROTATIONS,
  },
  'correlated rotations': {
    play(players, random) {
      const deal = transfers(players, random, (draw) => 5000 * normal(draw));
      const matches = Array.from({ length: ROTATIONS }, () =>
        transfers(players, random, (draw) => 3000 * normal(draw)),
      );
      const won = deal.map((common, seat) =>
        matches.reduce((sum, match) => sum + (common + (match[seat] as number)) / 2, 0),
      );
      return { won, hands: ROTATIONS * HANDS };
    },
    expected: even(ROTATIONS * HANDS),
    matches: ROTATIONS,
  },
  'style drawn at the start': {
    play: (players, random) => {
      const wild = random() < 0.2;
      return { won: transfers(players, random, (draw) => (wild ? 9000 : 300) * normal(draw)), hands: HANDS };
    },
    expected: even(HANDS),
  },
  'one dominates': dominated(0.9, (_, random) => whole(100, 500, random), 300),
  'one gambles': dominated(1 / SEATS, () => HANDS, HANDS),
  // A win ends the match after 50 hands, so that hands depend on the result.
  'hands depend on the result': dominated(0.3, (won) => (won ? 50 : HANDS), 0.3 * 50 + 0.7 * HANDS),
  'opponents matter': opponentsMatter,
  'opponents matter, tables sorted': { ...opponentsMatter, sorted: true },
};

/** Returns tables of six among `players`: all combinations again and again, in random order unless `sorted`. */
function designOf(players: number, sorted: boolean, random: Random): number[][] {
  const tables: number[][] = [];
  const choose = (from: number, chosen: number[]): void => {
    if (chosen.length === SEATS) tables.push(chosen);
    else for (let player = from; player < players; player++) choose(player + 1, [...chosen, player]);
  };
  while (tables.length < TABLES) choose(0, []);
  if (sorted) return tables.slice(0, TABLES);
  for (let left = TABLES; left > 1; left--) {
    const drawn = Math.floor(random() * left);
    [tables[left - 1], tables[drawn]] = [tables[drawn] as number[], tables[left - 1] as number[]];
  }
  return tables.slice(0, TABLES);
}

function boundsOf(matches: number): TableBounds {
  const loss = matches * STACK;
  return { loss, gain: (SEATS - 1) * loss, minHands: matches, maxHands: matches * HANDS };
}

/** Adds a table to what each player won. */
function add(to: Map<number, TableSum[]>, players: readonly number[], { won, hands }: Table): void {
  for (const [seat, player] of players.entries()) {
    const sums = to.get(player) ?? [];
    to.set(player, sums);
    sums.push({ winnings: won[seat] as number, hands });
  }
}

const rateOf = (sums: readonly TableSum[]) =>
  (100 * sums.reduce((sum, { winnings }) => sum + winnings, 0)) / sums.reduce((sum, { hands }) => sum + hands, 0);

interface Errors {
  missed: boolean;
  decided: boolean;
  false: boolean;
}

/** Follows the sequences of all players, as `stopCourse` of simulation does after each table, and compares every two at their ends. */
function follow(streams: readonly (readonly TableSum[])[], truth: readonly number[], bounds: TableBounds): Errors {
  const ends = streams.map((stream) => confidenceSequence(stream, bounds, ALPHA / streams.length));
  const missed = ends.some((steps, player) =>
    steps.some(({ low, high }) => low > (truth[player] as number) + EQUAL || high < (truth[player] as number) - EQUAL),
  );
  const errors = { missed, decided: false, false: false };
  // An interval lies within all that came before: what was ever decided is decided at the end.
  for (const [a, one] of ends.entries()) {
    for (const [b, other] of ends.slice(0, a).entries()) {
      const last = [one.at(-1), other.at(-1)] as const;
      if (last[0] === undefined || last[1] === undefined) continue;
      const { decision } = compareRates(last[0], last[1], null);
      const difference = (truth[a] as number) - (truth[b] as number);
      errors.decided ||= decision !== 'continue';
      errors.false ||= (decision === 'better' && difference <= EQUAL) || (decision === 'worse' && difference >= -EQUAL);
    }
  }
  return errors;
}

const percent = (count: number) => `${((100 * count) / REPETITIONS).toFixed(1)} %`;
const print = (line = '') => process.stdout.write(`${line}\n`);

function count(name: string, repetition: (random: Random) => Errors): void {
  const total = { missed: 0, decided: 0, false: 0 };
  for (let at = 1; at <= REPETITIONS; at++) {
    const errors = repetition(seededRandom(at));
    for (const key of ['missed', 'decided', 'false'] as const) total[key] += Number(errors[key]);
  }
  print(`| ${name} | ${percent(total.missed)} | ${percent(total.false)} | ${percent(total.decided)} |`);
}

print(`| ${TABLES} tables | an interval missed | a false decision | any decision |`);
print('|---|---|---|---|');
// Pairs: a gambler wins 48,000 with a small probability, otherwise loses its stack; the other one has the same mean and varies little.
for (const chance of [0.16, 0.05, 0.01]) {
  const mean = 58_000 * chance - STACK;
  const spread = Math.min(1500, STACK + mean);
  count(`pair: gambler at ${100 * chance} %, steady`, (random) => {
    const gambler = Array.from({ length: TABLES }, () => (random() < chance ? 48_000 : -STACK));
    const steady = Array.from({ length: TABLES }, () =>
      Math.round(mean + limited(spread * normal(random), STACK + mean)),
    );
    const streams = [gambler, steady].map((values) => values.map((winnings) => ({ winnings, hands: HANDS })));
    return follow(streams, [mean / 10, mean / 10], boundsOf(1));
  });
}
for (const players of [6, 8]) {
  for (const [name, { play, expected, matches = 1, sorted = false }] of Object.entries(worlds)) {
    if (players === SEATS && sorted) continue;
    count(`${players} players: ${name}`, (random) => {
      const [streams, means] = [new Map<number, TableSum[]>(), new Map<number, TableSum[]>()];
      for (const table of designOf(players, sorted, random)) {
        add(streams, table, play(table, random));
        add(means, table, expected(table));
      }
      const order = [...streams.keys()];
      const values = (from: Map<number, TableSum[]>) => order.map((player) => from.get(player) ?? []);
      return follow(values(streams), values(means).map(rateOf), boundsOf(matches));
    });
  }
}

// Power: the median number of tables after which the rule tells two players apart.
print();
print(`| two players, each at every table | tables until the decision | decided within ${TABLES} |`);
print('|---|---|---|');
const kinds: Readonly<Record<string, readonly [(random: Random) => number, (random: Random) => number]>> = {
  'one wins every match, the other loses its stack': [() => 5 * STACK, () => -STACK],
  'one wins 60 % of matches, the other 5 %, else a stack is lost': [winner(0.6), winner(0.05)],
  'one wins 35 %, the other 5 %': [winner(0.35), winner(0.05)],
  'one wins 30 %, the other 10 %': [winner(0.3), winner(0.1)],
  'means 3,000 and -3,000, deviation 1,500': [near(3000, 1500), near(-3000, 1500)],
  'means 1,000 and -1,000, deviation 3,000': [near(1000, 3000), near(-1000, 3000)],
};
function winner(share: number) {
  return (random: Random) => (random() < share ? (SEATS - 1) * STACK : -STACK);
}
function near(mean: number, deviation: number) {
  return (random: Random) => mean + limited(deviation * normal(random), STACK + mean);
}
for (const [name, draws] of Object.entries(kinds)) {
  const needed = Array.from({ length: REPETITIONS / 10 }, (_, repetition) => {
    const random = seededRandom(repetition + 1);
    const [one = [], other = []] = draws.map((draw) =>
      confidenceSequence(
        Array.from({ length: TABLES }, () => ({ winnings: draw(random), hands: HANDS })),
        boundsOf(1),
        ALPHA / 2,
      ),
    );
    const at = one.findIndex((step, table) => compareRates(step, other[table] ?? step, null).decision !== 'continue');
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  }).sort((a, b) => a - b);
  const median = needed[Math.floor(needed.length / 2)] ?? Number.POSITIVE_INFINITY;
  const decided = needed.filter(Number.isFinite).length / needed.length;
  print(`| ${name} | ${Number.isFinite(median) ? median : 'more'} | ${(100 * decided).toFixed(0)} % |`);
}
