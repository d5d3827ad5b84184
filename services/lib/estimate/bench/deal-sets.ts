// A thread of `make bench-standings`: plays deal sets in six rotations and posts every player's net of every hand.
import { parentPort, workerData } from 'node:worker_threads';
import { MatchLuck } from '../src/luck-match.ts';
import { seededRandom } from '../src/random.ts';
import { type ConstructedBot, type Style, styledBot } from '../test/bots.ts';
import { playHand, shuffledDeck } from '../test/play.ts';

/** The deal sets that a thread plays. */
export interface DealSetsJob {
  readonly field: readonly Style[];
  readonly sets: readonly number[];
  readonly deals: number;
}

/** Nets in chips: deal d, rotation r, player p at (d * 6 + r) * 6 + p. */
export interface PlayedDealSet {
  readonly raw: Float64Array;
  readonly adjusted: Float64Array;
}

export const SEATS = 6;
export const BIG_BLIND = 100;
const STACKS = new Array<number>(SEATS).fill(10_000);

/** Returns a bot whose random numbers depend only on what it sees, so that equal bots play equally. */
function deterministic(bot: ConstructedBot, set: number): ConstructedBot {
  return (hand) => {
    const seen = [...hand.holeCards(hand.actor ?? 0), ...hand.board, hand.log.length, hand.pot];
    return bot(hand, seededRandom(seen.reduce((sum, value) => Math.imul(sum, 31) + value, set)));
  };
}

/** Plays the six rotations of a deal set: in rotation r player p sits in seat (p + r) mod 6. Stacks are reset. */
export function playDealSet(set: number, field: readonly Style[], deals: number): PlayedDealSet {
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

const job = workerData as DealSetsJob | null;
for (const set of job?.sets ?? []) parentPort?.postMessage(playDealSet(set, job?.field ?? [], job?.deals ?? 0));
