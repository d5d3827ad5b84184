import { Hand } from '@husky/holdem/hand';
import { blindsAfter, type LastBlinds, positionsAfter } from '@husky/holdem/positions';
import type { FinishedHand } from '../src/luck.ts';
import { seededRandom } from '../src/random.ts';
import type { ConstructedBot } from './bots.ts';

/** Returns a shuffled deck. */
export function shuffledDeck(random: () => number): Uint8Array {
  const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
  for (let last = 51; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    const card = deck[last] as number;
    deck[last] = deck[pick] as number;
    deck[pick] = card;
  }
  return deck;
}

/** Plays one hand. `bots` are by seat; `last` determines the positions. */
export function playHand(
  number: number,
  bots: readonly ConstructedBot[],
  setup: { readonly stacks: readonly number[]; readonly bigBlind: number; readonly last: LastBlinds },
  deck: ArrayLike<number>,
  random: () => number,
): FinishedHand {
  const { stacks, bigBlind, last } = setup;
  const smallBlind = Math.max(1, Math.floor(bigBlind / 2));
  const hand = new Hand({ stacks, ...positionsAfter(stacks, last), smallBlind, bigBlind, deck });
  while (hand.actor !== null) {
    const [kind, amount] = (bots[hand.actor] as ConstructedBot)(hand, random, number);
    hand.act(kind, amount);
  }
  const deadSmallBlind = hand.posts === 1;
  return { number, stacks, bigBlind, deck, deadSmallBlind, actions: hand.log, deltas: hand.deltas };
}

/** Plays independent hands: every hand has new stacks from `stacksOf`, and the positions rotate. */
export function* playHands(
  count: number,
  bots: readonly ConstructedBot[],
  stacksOf: (random: () => number) => readonly number[],
  seed: number,
): Generator<FinishedHand> {
  const random = seededRandom(seed);
  for (let number = 1; number <= count; number++) {
    const last = { bigBlindSeat: number % bots.length, nextButton: null };
    const setup = { stacks: stacksOf(random), bigBlind: 10, last };
    yield playHand(number, bots, setup, shuffledDeck(random), random);
  }
}

/** Plays a match whose stacks are carried until one player has all chips. The big blind of 10 doubles every 200 hands. */
export function* playMatch(
  count: number,
  bots: readonly ConstructedBot[],
  stack: number,
  seed: number,
): Generator<FinishedHand> {
  const random = seededRandom(seed);
  let stacks = bots.map(() => stack);
  let last: LastBlinds = { bigBlindSeat: null, nextButton: null };
  for (let number = 1; number <= count && stacks.filter((chips) => chips > 0).length > 1; number++) {
    const setup = { stacks, bigBlind: 10 * 2 ** Math.floor((number - 1) / 200), last };
    const hand = playHand(number, bots, setup, shuffledDeck(random), random);
    yield hand;
    last = blindsAfter(2, positionsAfter(stacks, last));
    stacks = stacks.map((chips, seat) => chips + (hand.deltas[seat] as number));
  }
}
