// Measures the adjustment for luck on a field of 30 bots: variance, bias and speed.
// Run with `npx node services/lib/estimate/bench/luck.ts [matches of 1,000 hands for each bot]`.
import type { FinishedHand } from '../src/luck.ts';
import { MatchLuck } from '../src/luck-match.ts';
import { seededRandom } from '../src/random.ts';
import type { ConstructedBot } from '../test/bots.ts';
import { variedField } from '../test/field.ts';
import { playHands, playMatch } from '../test/play.ts';

const MATCHES = Number(process.argv[2] ?? 20);
const STACK = 10_000;
const names = Object.keys(variedField);
const bots = Object.values(variedField);

type Play = (players: readonly ConstructedBot[], seed: number) => Iterable<FinishedHand>;
const reset =
  (hands: number, stack = STACK): Play =>
  (players, seed) =>
    playHands(hands, players, () => players.map(() => stack), seed);
const carried =
  (stack = STACK): Play =>
  (players, seed) =>
    playMatch(1000, players, stack, seed);

const worlds: readonly (readonly [name: string, seats: number, matches: number, play: Play])[] = [
  ['six seats, reset', 6, MATCHES, reset(1000)],
  ['six seats, reset to 100 big blinds', 6, MATCHES, reset(1000, 1000)],
  ['six seats, carried', 6, 4 * MATCHES, carried()],
  ['six seats, carried, 100 big blinds', 6, 4 * MATCHES, carried(1000)],
  ['heads-up, reset', 2, MATCHES, reset(1000)],
  ['heads-up, carried', 2, 4 * MATCHES, carried()],
  ['six seats, reset, 100 hands', 6, 8 * MATCHES, reset(100)],
  ['six seats, reset, 20 hands', 6, 16 * MATCHES, reset(20)],
];

const kinds = ['raw', 'adjusted', 'chance'] as const;
type Values = Readonly<Record<(typeof kinds)[number], number>>;

/** Sums over the hands of one bot. */
class Sums {
  #hands = 0;
  readonly #sums = { raw: 0, adjusted: 0, chance: 0 };
  readonly #squares = { raw: 0, adjusted: 0, chance: 0 };

  add(values: Values): void {
    this.#hands += 1;
    for (const kind of kinds) {
      this.#sums[kind] += values[kind];
      this.#squares[kind] += values[kind] ** 2;
    }
  }

  variance(kind: keyof Values): number {
    return (this.#squares[kind] - this.#sums[kind] ** 2 / this.#hands) / this.#hands;
  }

  /** Mean of the adjustment over its standard error. */
  get bias(): number {
    return Math.abs(this.#sums.chance) / Math.sqrt(this.#squares.chance || 1);
  }
}

function shuffled(count: number, random: () => number): number[] {
  return Array.from({ length: count }, (_, index) => ({ index, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ index }) => index);
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const perBot: Sums[][] = [];
print(['world', 'hands', 'largest variance', 'mean gain', 'bias / error', 'CPU us']);
print(new Array(6).fill('---'));
for (const [index, [name, seats, matches, play]] of worlds.entries()) {
  const sums = bots.map(() => new Sums());
  let cpuUs = 0;
  const random = seededRandom(index + 1);
  let hands = 0;
  for (let match = 0; match < matches; match++) {
    const order = shuffled(bots.length, random);
    for (let first = 0; first < bots.length; first += seats) {
      const table = order.slice(first, first + seats);
      const played = [
        ...play(
          table.map((bot) => bots[bot] as ConstructedBot),
          Math.floor(random() * 2 ** 31),
        ),
      ];
      const luck = new MatchLuck();
      const started = process.cpuUsage();
      const adjusted = played.map((hand) => luck.next(hand));
      cpuUs += process.cpuUsage(started).user;
      hands += played.length;
      for (const [at, { stacks, deltas }] of played.entries()) {
        for (const [seat, bot] of table.entries()) {
          if (stacks[seat] === 0) continue;
          const [raw = 0, net = 0] = [deltas[seat], adjusted[at]?.[seat]];
          sums[bot]?.add({ raw, adjusted: net, chance: raw - net });
        }
      }
    }
  }
  const ratios = sums.map((bot) => bot.variance('adjusted') / bot.variance('raw'));
  const most = Math.max(...ratios);
  const gain = ratios.reduce((sum, ratio) => sum + 1 / Math.sqrt(ratio), 0) / bots.length;
  const bias = Math.max(...sums.map((bot) => bot.bias)).toFixed(1);
  const largest = `${most.toFixed(2)} (${names[ratios.indexOf(most)]})`;
  print([name, hands, largest, gain.toFixed(3), bias, (cpuUs / hands).toFixed(1)]);
  perBot.push(sums);
}

process.stdout.write('\nStandard deviation of a hand in big blinds, six seats, reset:\n\n');
print(['bot', 'raw', 'adjusted']);
print(new Array(3).fill('---'));
for (const [bot, sums] of (perBot[0] ?? []).entries()) {
  print([
    names[bot] ?? '',
    ...(['raw', 'adjusted'] as const).map((key) => (Math.sqrt(sums.variance(key)) / 10).toFixed(2)),
  ]);
}
