import { STREETS } from '@husky/match/game-data';
import { type HandCounter, type PlayCounters, POSITIONS, type StreetCounter } from './play-counters.ts';

const POSTFLOP = [1, 2, 3];
const FLOP = [1];

export type Position = (typeof POSITIONS)[number];
export type StreetName = (typeof STREETS)[number];

/** One statistic of a bot: `count` of `of` opportunities. */
export interface PlayFigure {
  readonly statistic: string;
  /** Empty: over all positions. */
  readonly position: Position | '';
  /** Empty: over the streets that the statistic is defined for. */
  readonly street: StreetName | '';
  readonly count: number;
  readonly of: number;
}

type Fraction = readonly [count: number, of: number];
type Definition = (counters: PlayCounters, streets: readonly number[], position?: number) => Fraction;

const onStreets =
  (counter: StreetCounter): Read =>
  (counters, streets, position) =>
    streets.reduce((sum, street) => sum + counters.ofStreet(counter, street, position), 0);
const ofHands =
  (counter: HandCounter): Read =>
  (counters, _streets, position) =>
    counters.ofHands(counter, position);
type Read = (counters: PlayCounters, streets: readonly number[], position?: number) => number;
const sumOf =
  (...reads: readonly Read[]): Read =>
  (...where) =>
    reads.reduce((sum, read) => sum + read(...where), 0);

const aggressive = sumOf(onStreets('bets'), onStreets('raises'));
const calls = onStreets('calls');
const active = sumOf(aggressive, calls, onStreets('folds'));
const ratio =
  (count: Read, of: Read): Definition =>
  (...where) => [count(...where), of(...where)];

/** Statistics of whole hands: play before the flop, and showdowns. */
const OF_HANDS: Readonly<Record<string, Definition>> = {
  vpip: ratio(ofHands('voluntary'), ofHands('decided')),
  pfr: ratio(ofHands('raised'), ofHands('decided')),
  three_bet: ratio(ofHands('threeBets'), ofHands('threeBetChances')),
  fold_to_three_bet: ratio(ofHands('foldsToThreeBet'), ofHands('threeBetsFaced')),
  steal: ratio(ofHands('steals'), ofHands('stealChances')),
  went_to_showdown: ratio(ofHands('showdowns'), ofHands('sawFlop')),
  won_at_showdown: ratio(ofHands('showdownsWon'), ofHands('showdowns')),
};

/** Statistics of actions. `streets` are those over which the figure without a street is summed. */
const OF_STREETS: Readonly<Record<string, { readonly define: Definition; readonly streets: readonly number[] }>> = {
  aggression_factor: { define: ratio(aggressive, calls), streets: POSTFLOP },
  aggression_frequency: { define: ratio(aggressive, active), streets: POSTFLOP },
  c_bet: { define: ratio(onStreets('cBets'), onStreets('cBetChances')), streets: FLOP },
  fold_to_c_bet: { define: ratio(onStreets('foldsToCBet'), onStreets('cBetsFaced')), streets: FLOP },
  bet_size: {
    define: (...where) => [onStreets('sizes')(...where) / 1000, onStreets('sizedBets')(...where)],
    streets: POSTFLOP,
  },
};

/** The names of all statistics. `aggression_factor` is a ratio and `bet_size` a mean in pots; the others are shares. */
export const STATISTICS = [...Object.keys(OF_HANDS), ...Object.keys(OF_STREETS)] as const;

/** Returns all statistics of a bot: over everything and by position; those of actions also by street. */
export function figuresOf(counters: PlayCounters): PlayFigure[] {
  const figures: PlayFigure[] = [];
  const add = (
    statistic: string,
    [count, of]: Fraction,
    position: PlayFigure['position'],
    street: PlayFigure['street'],
  ) => void figures.push({ statistic, position, street, count, of });
  for (const [place, position] of [[undefined, ''] as const, ...POSITIONS.entries()]) {
    for (const [name, define] of Object.entries(OF_HANDS)) add(name, define(counters, [], place), position, '');
    for (const [name, { define, streets }] of Object.entries(OF_STREETS)) {
      add(name, define(counters, streets, place), position, '');
    }
  }
  for (const [street, streetName] of STREETS.entries()) {
    for (const [name, { define }] of Object.entries(OF_STREETS)) {
      if (street === 0 && name.endsWith('c_bet')) continue;
      add(name, define(counters, [street]), '', streetName);
    }
  }
  return figures;
}
