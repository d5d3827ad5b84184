// Measures how much the adjustment for luck reduces the variance, its bias and its speed.
// Run with `node services/lib/estimate/bench/luck.ts [matches of 1,000 hands]`.
import { chanceTerms } from '../src/luck.ts';
import { MatchLuck } from '../src/luck-match.ts';
import { type ConstructedBot, randomBot, styledBot } from '../test/bots.ts';
import { playHands } from '../test/play.ts';

const MATCHES = Number(process.argv[2] ?? 30);
const STACK = 10_000;
const house = styledBot({ loose: 1, aggressive: 1, bluff: 0.05 });
const mixed = [
  house,
  styledBot({ loose: 1.5, aggressive: 1.2, bluff: 0.3 }),
  styledBot({ loose: 0.7, aggressive: 1, bluff: 0.05 }),
  styledBot({ loose: 2, aggressive: 0.5, bluff: 0 }),
  house,
  styledBot({ loose: 1.2, aggressive: 1.5, bluff: 0.2 }),
];
const passive = [1.5, 2, 2.5, 1.5, 3, 2].map((loose, index) => styledBot({ loose, aggressive: index / 20, bluff: 0 }));
const fields: Readonly<Record<string, readonly ConstructedBot[]>> = {
  'six equal bots': new Array(6).fill(house),
  'six styles': mixed,
  'six passive bots': passive,
  'six random bots': new Array(6).fill(randomBot),
  'heads-up': [house, mixed[1] as ConstructedBot],
};

process.stdout.write(
  '| field | raw | without run-outs | adjusted | ratio | bias / error | CPU us a hand |\n|---|---|---|---|---|---|---|\n',
);
for (const [name, bots] of Object.entries(fields)) {
  const seats = bots.map(() => ({ raw: 0, runOut: 0, adjusted: 0, chance: 0, squares: 0, hands: 0 }));
  let us = 0;
  for (let match = 0; match < MATCHES; match++) {
    const luck = new MatchLuck();
    const hands = [...playHands(1000, bots, () => bots.map(() => STACK), 1 + 7919 * match)];
    const before = process.cpuUsage();
    const adjusted = hands.map((hand) => luck.next(hand));
    us += process.cpuUsage(before).user;
    for (const [index, hand] of hands.entries()) {
      const nets = adjusted[index] ?? [];
      const { runOut } = chanceTerms(hand);
      for (const [seat, sums] of seats.entries()) {
        const [delta, net] = [hand.deltas[seat] ?? 0, nets[seat] ?? 0];
        sums.hands += 1;
        sums.raw += delta ** 2;
        sums.runOut += (delta - (runOut[seat] ?? 0)) ** 2;
        sums.adjusted += net ** 2;
        sums.chance += delta - net;
        sums.squares += (delta - net) ** 2;
      }
    }
  }
  const hands = seats.reduce((sum, seat) => sum + seat.hands, 0);
  const deviation = (key: 'raw' | 'runOut' | 'adjusted') =>
    Math.sqrt(seats.reduce((sum, seat) => sum + seat[key], 0) / hands) / 10;
  const bias = Math.max(...seats.map(({ chance, squares }) => Math.abs(chance) / Math.sqrt(squares)));
  const [raw, runOut, net] = [deviation('raw'), deviation('runOut'), deviation('adjusted')];
  process.stdout.write(
    `| ${name} | ${raw.toFixed(1)} | ${runOut.toFixed(1)} | ${net.toFixed(1)} | ${(raw / net).toFixed(2)} | ${bias.toFixed(1)} | ${(us / MATCHES / 1000).toFixed(0)} |\n`,
  );
}
