import { Action, type ActionKind } from '@husky/holdem/action';
import type { Card } from '@husky/holdem/card';
import { evaluate } from '@husky/holdem/evaluate';
import type { Hand } from '@husky/holdem/hand';

/** How a constructed bot differs from others. */
export interface Style {
  /** Share of the hands played in relation to the house bot's; 1 is equal. */
  readonly loose: number;
  /** Raises and bets in relation to the house bot's; 1 is equal, 0 never bets. */
  readonly aggressive: number;
  /** Probability of a bet with nothing. */
  readonly bluff: number;
}

/** Six styles whose decisions differ in many hands. */
export const mixedStyles: readonly Style[] = [
  { loose: 1, aggressive: 1, bluff: 0.05 },
  { loose: 0.7, aggressive: 1, bluff: 0.02 },
  { loose: 1.3, aggressive: 0.6, bluff: 0.1 },
  { loose: 1.6, aggressive: 0.3, bluff: 0 },
  { loose: 1, aggressive: 0.8, bluff: 0.1 },
  { loose: 0.9, aggressive: 0.6, bluff: 0.05 },
];

/** An action; the amount is that of a raise, in chips to add. */
export type Move = readonly [kind: ActionKind, amount?: number];

/** Chooses the action of the hand's actor. `number` is that of the hand in its match. */
export type ConstructedBot = (hand: Hand, random: () => number, number: number) => Move;

/** Plays random legal actions, sometimes all-in. Does not look at its cards. */
export const randomBot: ConstructedBot = (hand, random) => {
  const { canCheck, minRaise, maxRaise } = hand.options();
  const roll = random();
  if (maxRaise > 0 && roll < 0.01) return [Action.ALL_IN];
  if (maxRaise > 0 && roll < 0.2) return [Action.RAISE, minRaise];
  if (canCheck) return [Action.CHECK];
  return [roll < 0.6 ? Action.CALL : Action.FOLD];
};

/** Returns a bot that plays by the strength of its cards, with rules like those of the house bot (services/runner/bots/house). */
export function styledBot(style: Style): ConstructedBot {
  return (hand, random) => {
    const seat = hand.actor as number;
    if (hand.street === 0) return playBeforeFlop(hand, percentileOf(...hand.holeCards(seat)), style, random);
    return playAfterFlop(hand, strengthOf(hand, seat, random), style, random);
  };
}

function playBeforeFlop(hand: Hand, percentile: number, style: Style, random: () => number): Move {
  const { toCall, maxRaise } = hand.options();
  const opponents = hand.shownHands.length - 1;
  const steps = hand.currentBet / hand.bigBlind;
  if (steps <= 1) {
    const waiting = hand.toAct.length - 1;
    const opening = (opponents > 1 ? ([0.7, 0.7, 0.42, 0.28, 0.2, 0.16][waiting] ?? 0.16) : 0.7) * style.loose;
    if (percentile <= opening * 0.8 * style.aggressive || random() < style.bluff / 4)
      return raise(hand, 3 * hand.bigBlind);
    return percentile <= opening ? call(hand) : giveUp(hand);
  }
  const theirs = Math.max(0.03, (opponents === 1 ? 0.45 : 0.25) * Math.min(1, (5 / steps) ** 0.6));
  if (percentile <= theirs * 0.25 * style.aggressive && (steps < 25 || percentile <= 0.014)) {
    return raise(hand, toCall + 2 * hand.currentBet);
  }
  const price = toCall / (potOf(hand) + toCall);
  const limit = theirs * style.loose * (0.4 / Math.max(price, 0.25)) * (1 - (0.6 * toCall) / Math.max(1, maxRaise));
  return percentile <= limit ? call(hand) : giveUp(hand);
}

function playAfterFlop(hand: Hand, strength: number, style: Style, random: () => number): Move {
  const { toCall } = hand.options();
  const pot = potOf(hand);
  const opponents = Math.min(3, hand.shownHands.length - 1);
  const chance = strength ** opponents;
  if (toCall === 0) {
    if (chance >= 1 - 0.38 * style.aggressive) return raise(hand, (pot * (chance >= 0.85 ? 3 : 2)) / 4);
    return random() < style.bluff ? raise(hand, pot / 2) : call(hand);
  }
  const pressure = toCall / Math.max(1, pot - toCall);
  const ahead = Math.max(0, chance - 0.35 * (1 - chance) * Math.min(1, 0.6 + pressure));
  const deep = toCall / hand.bigBlind;
  if (ahead >= 1 - 0.12 * style.aggressive || (ahead >= 0.82 && deep <= 15 && style.aggressive > 0)) {
    return raise(hand, toCall + ((pot + toCall) * 3) / 4);
  }
  const needed = (toCall / (pot + toCall) + 0.02 + Math.min(0.14, 0.0015 * deep)) / style.loose;
  return ahead >= needed ? call(hand) : giveUp(hand);
}

export function raise(hand: Hand, chips: number): Move {
  const { minRaise, maxRaise } = hand.options();
  if (maxRaise === 0) return call(hand);
  return [Action.RAISE, Math.max(minRaise, Math.min(Math.floor(chips), maxRaise))];
}

export const call = (hand: Hand): Move => [hand.options().canCheck ? Action.CHECK : Action.CALL];

export function giveUp(hand: Hand): Move {
  return [hand.options().canCheck ? Action.CHECK : Action.FOLD];
}

export const potOf = (hand: Hand): number => hand.totals.reduce((sum, chips) => sum + chips, 0);

const SAMPLED_HANDS = 32;

/** Returns the share of random hands that the seat's hand beats on the present board. */
function strengthOf(hand: Hand, seat: number, random: () => number): number {
  const cards = [...hand.board, ...hand.holeCards(seat)];
  const known = new Set<Card>(cards);
  const mine = evaluate(cards);
  const draw = (): Card => {
    for (;;) {
      const card = Math.floor(random() * 52);
      if (!known.has(card)) return card;
    }
  };
  let beaten = 0;
  for (let sample = 0; sample < SAMPLED_HANDS; sample++) {
    const first = draw();
    let second = draw();
    while (second === first) second = draw();
    const theirs = evaluate([...hand.board, first, second]);
    beaten += mine > theirs ? 1 : mine === theirs ? 0.5 : 0;
  }
  return beaten / SAMPLED_HANDS;
}

/** Returns Bill Chen's points of two hole cards (The Mathematics of Poker, 2006). */
function chenPoints(first: Card, second: Card): number {
  const [high, low] = [Math.max(first >> 2, second >> 2), Math.min(first >> 2, second >> 2)];
  const points = [10, 8, 7, 6][12 - high] ?? (high + 2) / 2;
  if (high === low) return Math.max(5, points * 2);
  const gap = high - low - 1;
  const suited = (first & 3) === (second & 3) ? 2 : 0;
  return points + suited - ([0, 1, 2, 4][gap] ?? 5) + (gap <= 1 && high < 10 ? 1 : 0);
}

const percentiles: Float64Array = (() => {
  const pairs: { readonly pair: number; readonly points: number }[] = [];
  for (let first = 0; first < 52; first++) {
    for (let second = 0; second < first; second++) {
      pairs.push({
        pair: first * 52 + second,
        points: chenPoints(first, second) + ((first >> 2) + (second >> 2)) / 100,
      });
    }
  }
  pairs.sort((a, b) => b.points - a.points || a.pair - b.pair);
  const shares = new Float64Array(52 * 52);
  for (const [index, { pair }] of pairs.entries()) shares[pair] = (index + 1) / pairs.length;
  return shares;
})();

/** Returns the share of all pairs of cards that are at least as good, 0..1. */
export function percentileOf(first: Card, second: Card): number {
  return percentiles[Math.max(first, second) * 52 + Math.min(first, second)] as number;
}
