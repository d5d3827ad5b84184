import { Action } from '@husky/holdem/action';
import { type ConstructedBot, call, giveUp, percentileOf, potOf, raise, randomBot, styledBot } from './bots.ts';

const own = (hand: Parameters<ConstructedBot>[0]): number => percentileOf(...hand.holeCards(hand.actor as number));

const style = (loose: number, aggressive: number, bluff: number): ConstructedBot =>
  styledBot({ loose, aggressive, bluff });

/** Plays all-in with the best `share` of all hole cards and gives up all others. */
const shoves =
  (share: number): ConstructedBot =>
  (hand) =>
    own(hand) <= share ? [Action.ALL_IN] : giveUp(hand);

const changes =
  (before: ConstructedBot, after: ConstructedBot): ConstructedBot =>
  (hand, random, number) =>
    (number < 500 ? before : after)(hand, random, number);

export const folds: ConstructedBot = giveUp;
const raises: ConstructedBot = (hand) => raise(hand, hand.options().toCall + potOf(hand));
const house = style(1, 1, 0.05);
const tight = style(0.6, 0.8, 0.02);
const wild = style(1.8, 1.5, 0.3);

/** Thirty bots whose variance differs a thousand times. */
export const variedField: Readonly<Record<string, ConstructedBot>> = {
  'only folds': folds,
  'folds all but aces': shoves(1 / 221),
  'calls always': call,
  'raises always': raises,
  'all-in always': () => [Action.ALL_IN],
  random: randomBot,
  'minimum raise always': (hand) => raise(hand, 0),
  'all-in with 5 %': shoves(0.05),
  'all-in with 20 %': shoves(0.2),
  'calls before the flop, then gives up': (hand) => (hand.street === 0 ? call(hand) : giveUp(hand)),
  'calls small bets': (hand) => (hand.options().toCall <= 4 * hand.bigBlind ? call(hand) : giveUp(hand)),
  'raises good cards, then gives up': (hand) =>
    hand.street === 0 && own(hand) <= 0.3 && hand.currentBet <= hand.bigBlind
      ? raise(hand, 3 * hand.bigBlind)
      : giveUp(hand),
  'bets at random': (hand, random) =>
    random() < 0.3 ? raise(hand, potOf(hand)) : random() < 0.5 ? call(hand) : giveUp(hand),
  house,
  'copy of house': house,
  tight,
  'very tight': style(0.4, 1, 0),
  'tight and aggressive': style(0.7, 1.3, 0.1),
  'tight and passive': style(0.7, 0.2, 0),
  loose: style(1.6, 1, 0.1),
  'loose and aggressive': style(1.5, 1.3, 0.3),
  'loose and passive': style(2, 0.3, 0),
  station: style(3, 0, 0),
  'copy of station': style(3, 0, 0),
  wild,
  bluffs: style(1, 0.8, 0.6),
  'tight, from hand 500 wild': changes(tight, wild),
  'wild, from hand 500 only folds': changes(wild, folds),
  'only folds, from hand 500 raises': changes(folds, raises),
  'one style or the other in each hand': (hand, random, number) =>
    (number % 2 === 0 ? tight : wild)(hand, random, number),
};
