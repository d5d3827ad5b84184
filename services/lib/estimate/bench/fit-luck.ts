// Writes src/luck-table.ts, fitted to hands between constructed bots: node services/lib/estimate/bench/fit-luck.ts [hands]
// The values need not be exact: any table leaves the adjusted values unbiased, a better one only reduces their variance.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chanceTerms } from '../src/luck.ts';
import { combinationsOf, HOLE_CLASSES, holeClass } from '../src/luck-hole.ts';
import { STACK_CLASSES, stackClass } from '../src/luck-weight.ts';
import { mixedStyles, type Style, styledBot } from '../test/bots.ts';
import { playHands } from '../test/play.ts';

const HANDS = Number(process.argv[2] ?? 60_000);

const weightSums = [0, 1, 2].map(() => Array.from({ length: STACK_CLASSES }, () => ({ products: 0, squares: 0 })));

interface HoleSum {
  sum: number;
  squares: number;
  count: number;
}
const holeSums: HoleSum[][][] = [];

/** Plays hands with this number of players and adds them to the sums that fit the weights or, given the weights, the values of hole cards. */
function addHands(players: number, fit: 'weights' | 'holes', weights: readonly (readonly number[])[]): void {
  const positions = Array.from({ length: players }, () =>
    Array.from({ length: HOLE_CLASSES }, (): HoleSum => ({ sum: 0, squares: 0, count: 0 })),
  );
  if (fit === 'holes') holeSums.push(positions);
  const seed = players + (fit === 'holes' ? 10 : 0);
  const stacks = new Array<number>(players).fill(10_000);
  for (let group = 0; group < mixedStyles.length; group++) {
    const bots = stacks.map((_, seat) => styledBot(mixedStyles[(seat + group) % mixedStyles.length] as Style));
    for (const hand of playHands(Math.ceil(HANDS / mixedStyles.length), bots, () => stacks, seed * 100 + group)) {
      const classes = [0, 0, 0];
      const terms = chanceTerms(hand, (street, stackToPot) => {
        classes[street - 1] = stackClass(stackToPot);
        return fit === 'weights' ? 1 : (weights[street - 1]?.[stackClass(stackToPot)] ?? 1);
      });
      const first = hand.actions[0]?.seat ?? 0;
      for (const [seat, delta] of hand.deltas.entries()) {
        const target = delta - (terms.runOut[seat] ?? 0);
        if (fit === 'weights') {
          for (const [street, { chips }] of terms.events.slice(1).entries()) {
            const sums = weightSums[street]?.[classes[street] ?? 0];
            const change = chips[seat] ?? 0;
            if (sums === undefined) continue;
            sums.products += change * target;
            sums.squares += change * change;
          }
        } else {
          const chance = terms.events.slice(1).reduce((sum, { chips }) => sum + (chips[seat] ?? 0), 0);
          const position = (seat - first + players) % players;
          const cell = positions[position]?.[holeClass(hand.deck[2 * seat] ?? 0, hand.deck[2 * seat + 1] ?? 0)];
          if (cell === undefined) continue;
          const bigBlinds = (target - chance) / hand.bigBlind;
          cell.sum += bigBlinds;
          cell.squares += bigBlinds * bigBlinds;
          cell.count += 1;
        }
      }
    }
  }
}

const PLAYERS = [2, 3, 4, 5, 6];
for (const players of PLAYERS) addHands(players, 'weights', []);
const weights = weightSums.map((classes) =>
  classes.map(({ products, squares }) => Math.max(1, Math.round((10 * products) / squares) / 10)),
);
for (const players of PLAYERS) addHands(players, 'holes', weights);

// Expected differences between the values of classes, in big blinds. Means with a larger error are drawn towards 0.
const SPREAD = 6;

const tenths = holeSums.map((positions) =>
  positions.map((cells) => {
    const sum = (key: keyof HoleSum) => cells.reduce((total, cell) => total + cell[key], 0);
    const mean = sum('sum') / sum('count');
    return cells.map((cell) => {
      if (cell.count < 2) return 0;
      const value = cell.sum / cell.count;
      const error = (cell.squares / cell.count - value * value) / cell.count;
      return Math.round((10 * (value - mean) * SPREAD ** 2) / (SPREAD ** 2 + error));
    });
  }),
);
for (const hole of [0, 168, 14, 12 * 13 + 11, 11 * 13 + 12]) {
  process.stdout.write(
    `class ${hole}, ${combinationsOf(hole)} pairs: ${tenths.map((p) => p.map((t) => t[hole]).join(' ')).join(' | ')}\n`,
  );
}
writeFileSync(
  path.join(import.meta.dirname, '../src/luck.ts'),
  `// Made by bench/fit-luck.ts from hands between constructed bots; do not edit. A change needs a new LUCK_VERSION.

/** By street (flop, turn, river) and class of stacks: by how much a change of equity counts in relation to the pot. */
export const PRIOR_WEIGHTS: readonly (readonly number[])[] = ${JSON.stringify(weights)};

/** Values of hole cards in tenths of a big blind, by number of players from 2 and position from the small blind: one for each class. */
export const HOLE_TENTHS: readonly (readonly string[])[] = ${JSON.stringify(tenths.map((positions) => positions.map((row) => row.join(' '))))};
`,
);
