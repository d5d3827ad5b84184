import type { LadderSet } from '../src/ladder.ts';
import type { Random } from './worlds.ts';

export const BIG_BLIND = 20;
export const BOTS = 100;
/** Hands that each player is dealt in a set: six rotations of 50. */
export const SET_HANDS = 300;
/** Standard deviation of the strengths, and of 100 hands of an ordinary bot without luck in a deal set, in chips. */
const strength = 20 * BIG_BLIND;
const noise = 40 * BIG_BLIND;

/** Bots whose expected winnings are known. */
export interface Field {
  /** Chips per 100 hands against opponents of mean strength. */
  readonly truth: readonly number[];
  readonly play: (bots: readonly number[]) => LadderSet;
}

/**
 * Fields of constructed bots. In each set, chips move between each two players by chance, with the product of their deviations as variance. Even: normal
 * strengths, all vary alike. Wild: a long tail of weak bots; deviations differ by a factor of ten, chance is heavy-tailed. Styles: clones in groups of five, and
 * who beats whom depends on both (half of the variance of a pair's expectation), so that the additive model is wrong.
 */
export const fields: Readonly<Record<string, (random: Random, bots?: number) => Field>> = {
  even: (random, bots = BOTS) => {
    const strengths = Array.from({ length: bots }, () => strength * random.normal());
    return fieldOf(random, { strengths, deviations: strengths.map(() => 1) });
  },
  wild: (random, bots = BOTS) => {
    const strengths = Array.from({ length: bots }, () => strength * Math.log(1 - random.uniform()));
    const deviations = strengths.map(() => 10 ** (random.uniform() - 0.5));
    return fieldOf(random, { strengths, deviations, heavy: true });
  },
  styles: (random, bots = BOTS) => {
    const groups = Array.from({ length: Math.ceil(bots / 5) }, () => strength * random.normal());
    const strengths = Array.from(
      { length: bots },
      (_, bot) => (groups[bot % groups.length] as number) + 0.1 * strength * random.normal(),
    );
    const deviations = strengths.map(() => 2 ** random.normal());
    const kinds = strengths.map(() => [random.normal(), random.normal()] as const);
    return fieldOf(random, {
      strengths,
      deviations,
      against: (a, b) => {
        const [[p, q], [r, s]] = [kinds[a] as readonly [number, number], kinds[b] as readonly [number, number]];
        return strength * (p * s - q * r);
      },
    });
  },
};

interface Parts {
  readonly strengths: readonly number[];
  readonly deviations: readonly number[];
  readonly heavy?: boolean;
  /** What the first wins from the second beyond the difference of strengths; antisymmetric. */
  readonly against?: (a: number, b: number) => number;
}

function fieldOf(random: Random, { strengths, deviations, heavy = false, against = () => 0 }: Parts): Field {
  const all = strengths.map(
    (own, a) => own + strengths.reduce((sum, _, b) => sum + against(a, b), 0) / strengths.length,
  );
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return {
    truth: all.map((value) => value - mean),
    play(bots) {
      const opponents = bots.length - 1;
      const rates = bots.map(() => 0);
      for (const [i, a] of bots.entries()) {
        for (const [j, b] of bots.slice(0, i).entries()) {
          const chance = heavy ? random.heavy() / Math.sqrt(3) : random.normal();
          const deviation =
            noise * Math.sqrt(((100 / SET_HANDS) * (deviations[a] as number) * (deviations[b] as number)) / opponents);
          const moved =
            ((strengths[a] as number) - (strengths[b] as number) + against(a, b)) / opponents + deviation * chance;
          rates[i] = (rates[i] as number) + moved;
          rates[j] = (rates[j] as number) - moved;
        }
      }
      return {
        hands: SET_HANDS,
        seats: bots.map((bot, seat) => ({ player: String(bot), value: ((rates[seat] as number) * SET_HANDS) / 100 })),
      };
    },
  };
}
