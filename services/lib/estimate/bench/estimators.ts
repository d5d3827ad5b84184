// How much narrower the standard errors of the four estimators are, for the same number of hands with reset stacks: two fields of constructed
// bots play DEAL_SETS (default 20) sets of 1,000 deals in six rotations.
import { MatchLuck } from '../src/luck-match.ts';
import { Deviations } from '../src/luck-weight.ts';
import { seededRandom } from '../src/random.ts';
import { type ConstructedBot, mixedStyles, type Style, styledBot } from '../test/bots.ts';
import { playHand, shuffledDeck } from '../test/play.ts';

const SETS = Number(process.env.DEAL_SETS ?? 20);
const DEALS = 1000;
const fields: Readonly<Record<string, readonly Style[]>> = {
  'six variants of one strategy': [
    { loose: 1, aggressive: 1, bluff: 0.05 },
    { loose: 0.9, aggressive: 1, bluff: 0.05 },
    { loose: 1.1, aggressive: 1, bluff: 0.05 },
    { loose: 1, aggressive: 0.9, bluff: 0.05 },
    { loose: 1, aggressive: 1, bluff: 0.1 },
    { loose: 1.2, aggressive: 1, bluff: 0.05 },
  ],
  'six strategies': mixedStyles,
};

/** Nets in chips: deal d, rotation r, player p at (d * 6 + r) * 6 + p. */
interface PlayedDealSet {
  readonly raw: Float64Array;
  readonly adjusted: Float64Array;
}

const SEATS = 6;
const BIG_BLIND = 100;
const STACKS = new Array<number>(SEATS).fill(10_000);

/** Returns a bot whose random numbers depend only on what it sees, so that equal bots play equally. */
function deterministic(bot: ConstructedBot, set: number): ConstructedBot {
  return (hand, _, number) => {
    const seen = [...hand.holeCards(hand.actor ?? 0), ...hand.board, hand.log.length, hand.pot];
    return bot(hand, seededRandom(seen.reduce((sum, value) => Math.imul(sum, 31) + value, set)), number);
  };
}

/** Plays the six rotations of a deal set: in rotation r player p sits in seat (p + r) mod 6. Stacks are reset. */
function playDealSet(set: number, field: readonly Style[], deals: number): PlayedDealSet {
  const bots = field.map((style) => deterministic(styledBot(style), set));
  const played = { raw: new Float64Array(deals * 36), adjusted: new Float64Array(deals * 36) };
  for (let rotation = 0; rotation < SEATS; rotation++) {
    const luck = new MatchLuck();
    const playerIn = (seat: number) => (seat - rotation + SEATS) % SEATS;
    const seated = STACKS.map((_, seat) => bots[playerIn(seat)] as ConstructedBot);
    for (let deal = 0; deal < deals; deal++) {
      const random = seededRandom(set * 1_000_003 + deal);
      const deck = shuffledDeck(random);
      const setup = { stacks: STACKS, bigBlind: BIG_BLIND, last: { nextButton: null, bigBlindSeat: deal % SEATS } };
      const hand = playHand(deal + 1, seated, setup, deck, random);
      const adjusted = luck.next(hand);
      for (let seat = 0; seat < SEATS; seat++) {
        const at = (deal * SEATS + rotation) * SEATS + playerIn(seat);
        played.raw[at] = hand.deltas[seat] ?? 0;
        played.adjusted[at] = adjusted[seat] ?? 0;
      }
    }
  }
  return played;
}

const spreadOf = ({ squares, count }: Deviations) => Math.sqrt(squares / (count - 1));

process.stdout.write('| field | adjusted | duplicate | duplicate and adjusted |\n|---|---|---|---|\n');
for (const [name, field] of Object.entries(fields)) {
  const players = field.map(() => ({
    raw: new Deviations(),
    adjusted: new Deviations(),
    duplicate: new Deviations(),
    both: new Deviations(),
  }));
  for (let set = 1; set <= SETS; set++) {
    const { raw, adjusted } = playDealSet(set, field, DEALS);
    for (const [player, spreads] of players.entries()) {
      for (let deal = 0; deal < DEALS; deal++) {
        let [won, without] = [0, 0];
        for (let rotation = 0; rotation < SEATS; rotation++) {
          const at = (deal * SEATS + rotation) * SEATS + player;
          spreads.raw.add(raw[at] ?? 0);
          spreads.adjusted.add(adjusted[at] ?? 0);
          won += raw[at] ?? 0;
          without += adjusted[at] ?? 0;
        }
        // As many hands as rotations: the error of their mean, times the root of their number.
        spreads.duplicate.add(won / Math.sqrt(SEATS));
        spreads.both.add(without / Math.sqrt(SEATS));
      }
    }
  }
  const gain = (kind: 'adjusted' | 'duplicate' | 'both') => {
    const ratios = players.map((spreads) => spreadOf(spreads.raw) / spreadOf(spreads[kind]));
    return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  };
  process.stdout.write(`| ${name} | ${gain('adjusted')} | ${gain('duplicate')} | ${gain('both')} |\n`);
}
