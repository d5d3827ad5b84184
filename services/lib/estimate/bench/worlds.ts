import type { MatchSums } from '../src/field.ts';
import { seededRandom } from '../src/random.ts';

/** A population of matches with known means. */
export interface World {
  readonly name: string;
  readonly stacks: MatchSums['stacks'];
  /** Matches that share decks: 1, or the six rotations of a deal set. */
  readonly rotations: 1 | 6;
  readonly players: number;
  /** Plays one group of matches: what each player won in each block of each match, and the hands of each block. */
  readonly play: (random: Random, seats: readonly number[]) => Group;
}

interface Group {
  /** Match, block, place at the table. */
  readonly won: readonly (readonly (readonly number[])[])[];
  /** Match, block. */
  readonly hands: readonly (readonly number[])[];
}

/** Numbers from a seeded source. */
export class Random {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }
  uniform(): number {
    return this.#next();
  }
  chance(probability: number): boolean {
    return this.#next() < probability;
  }
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#next())) * Math.cos(2 * Math.PI * this.#next());
  }
  /** Student's t with three degrees of freedom. */
  heavy(): number {
    return this.normal() / Math.sqrt((this.normal() ** 2 + this.normal() ** 2 + this.normal() ** 2) / 3);
  }
  pick(weights: readonly number[]): number {
    const point = this.#next() * weights.reduce((sum, weight) => sum + weight, 0);
    let reached = 0;
    return weights.findIndex((weight) => {
      reached += weight;
      return point < reached;
    });
  }
}

export const STACK = 10_000;
export const BIG_BLIND = 20;
const SEATS = 6;
const HANDS = 1000;
const BLOCKS = 10;

const centred = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
};

/** Scales results down until nobody loses more than its stack. */
const bounded = (values: readonly number[]) => {
  const worst = Math.min(...values);
  return worst < -STACK ? values.map((value) => (value * -STACK) / worst) : values;
};

/** One match with carried stacks of which only the sums count. */
const carried = (won: readonly number[], hands: number): Group => ({ won: [[won]], hands: [[hands]] });
const length = (random: Random) => 400 + Math.floor(601 * random.uniform());

/** Somebody wins all chips, each with a weight; the match is shorter the more one-sided it is. */
const winnerTakesAll = (random: Random, weights: readonly number[]) => {
  const winner = random.pick(weights);
  return carried(
    weights.map((_, seat) => (seat === winner ? STACK * (weights.length - 1) : -STACK)),
    length(random),
  );
};

/** Draws how a player plays a match: its rate in each block, in chips a hand. */
type Styles = (random: Random, player: number) => (block: number) => number;

/** Matches with reset stacks: blocks of normal sums around the rate of the style that each bot has in this match, in chips a hand. */
const resetMatches = (random: Random, rotations: number, styles: Styles, seats: readonly number[]): Group => {
  const hands = HANDS / BLOCKS;
  const deal = Array.from({ length: BLOCKS }, () => seats.map(() => 60 * random.normal()));
  const matches = Array.from({ length: rotations }, (_, rotation) => {
    const style = seats.map((player) => styles(random, player));
    return Array.from({ length: BLOCKS }, (__, block) => {
      const noise = seats.map(
        (___, place) => (deal[block]?.[(place + rotation) % seats.length] ?? 0) / 2 + 30 * random.normal(),
      );
      const rates = style.map((of, place) => of(block) + (noise[place] ?? 0));
      return centred(rates).map((rate) => rate * hands);
    });
  });
  return { won: matches, hands: matches.map((blocks) => blocks.map(() => hands)) };
};

const classic = { stacks: 'carry', rotations: 1, players: 6 } as const;
const steadySpread = 1500;

/** Player 0 gambles: it loses its stack or wins 48,000. Player 1 is steady with the same mean; the other four share what is left. */
const gambler = (probability: number): World => ({
  ...classic,
  name: `gambler (${100 * probability} %) against steady`,
  play: (random, seats) => {
    const won = random.chance(probability);
    const gambled = won ? 48_000 : -STACK;
    // When the gambler wins, 2,000 chips are left.
    const otherwise = (58_000 * probability - STACK + 8000 * probability) / (1 - probability);
    const most = STACK + otherwise;
    const noise = Math.max(-most, Math.min(most, steadySpread * random.normal()));
    const steady = won ? -8000 : otherwise + noise;
    const rest = -(gambled + steady) / 4;
    return carried(
      seats.map((player) => [gambled, steady][player] ?? rest),
      length(random),
    );
  },
});

const resetStyles: Readonly<Record<string, Styles>> = {
  'independent hands, reset': () => () => 0,
  'style at the start, reset': (random, player) => {
    const style = player < 3 && random.chance(0.3) ? -40 : 0;
    return () => style;
  },
  'breaking in the middle, reset': (random, player) => {
    const at = player < 3 && random.chance(0.4) ? Math.floor(BLOCKS * random.uniform()) : BLOCKS;
    return (block) => (block >= at ? -50 : 0);
  },
};

export const worlds: readonly World[] = [
  {
    ...classic,
    name: 'normal sums',
    play: (random, seats) =>
      carried(bounded(centred(seats.map((player) => 300 * player + 2500 * random.normal()))), length(random)),
  },
  {
    ...classic,
    name: 'heavy tails',
    play: (random, seats) =>
      carried(bounded(centred(seats.map((player) => 200 * player + 1500 * random.heavy()))), length(random)),
  },
  {
    ...classic,
    name: 'all-in lottery',
    play: (random, seats) =>
      winnerTakesAll(
        random,
        seats.map(() => 1),
      ),
  },
  {
    ...classic,
    name: 'one dominating bot',
    players: 8,
    play: (random, seats) =>
      winnerTakesAll(
        random,
        seats.map((player) => (player === 0 ? 8 : player % 3 === 0 ? 0.2 : 1)),
      ),
  },
  {
    ...classic,
    name: 'identical bots',
    players: 8,
    play: (random, seats) => {
      const shares = seats.map(() => (-Math.log(1 - random.uniform())) ** 3);
      const all = shares.reduce((sum, share) => sum + share, 0);
      return carried(
        shares.map((share) => (SEATS * STACK * share) / all - STACK),
        length(random),
      );
    },
  },
  gambler(0.16),
  gambler(0.05),
  gambler(0.01),
  {
    ...classic,
    name: 'length depends on the winner',
    play: (random, seats) => {
      const winner = random.pick(seats.map((player) => (player === 0 ? 2 : 1)));
      return carried(
        seats.map((_, place) => (place === winner ? 5 * STACK : -STACK)),
        seats[winner] === 0 ? 50 : 1000,
      );
    },
  },
  {
    ...classic,
    name: 'style at the start, carried',
    play: (random, seats) =>
      winnerTakesAll(
        random,
        seats.map((player) => (player < 2 && random.chance(0.5) ? 0.05 : 1)),
      ),
  },
  {
    name: 'correlated tables, carried',
    stacks: 'carry',
    rotations: 6,
    players: 6,
    play: (random, seats) => {
      const luck = seats.map(() => random.uniform() ** 4);
      const rotations = Array.from({ length: 6 }, (_, rotation) => {
        const winner = random.pick(seats.map((__, place) => (luck[(place + rotation) % SEATS] ?? 0) + 0.05));
        return [seats.map((__, place) => (place === winner ? 5 * STACK : -STACK))];
      });
      return { won: rotations, hands: rotations.map(() => [length(random)]) };
    },
  },
  ...Object.entries(resetStyles).flatMap(([name, styles]) =>
    ([1, 6] as const).map(
      (rotations): World => ({
        name,
        stacks: 'reset',
        rotations,
        players: 6,
        play: (random, seats) => resetMatches(random, rotations, styles, seats),
      }),
    ),
  ),
];

const noSums = { adjusted: null, adjustedBigBlinds: null };

/** Plays the groups of one repetition: the seats rotate through all players. */
export function playGroups({ play, players, stacks }: World, groups: number, random: Random): MatchSums[] {
  return Array.from({ length: groups }, (_, group) => {
    const seats = Array.from({ length: SEATS }, (__, seat) => (group + seat) % players);
    const { won, hands } = play(random, seats);
    return won.map((blocks, rotation): MatchSums => {
      const raw = Float64Array.from(blocks.flat());
      return {
        seed: String(group),
        players: seats.map((___, seat) => String(seats[(seat + rotation) % SEATS])),
        stacks,
        startingStack: STACK,
        bigBlind: BIG_BLIND,
        blocks: {
          seats: SEATS,
          hands: Float64Array.from(hands[rotation] ?? []),
          sums: {
            ...noSums,
            raw: rotated(raw, rotation),
            rawBigBlinds: rotated(raw, rotation).map((sum) => sum / BIG_BLIND),
          },
        },
      };
    });
  }).flat();

  function rotated(raw: Float64Array, rotation: number): Float64Array {
    return raw.map((_, at) => raw[at - (at % SEATS) + (((at % SEATS) + rotation) % SEATS)] ?? 0);
  }
}
