import type { Profile } from '../../src/play/setup.ts';

/** A short match whose last hand shows one situation. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly profiles: readonly Profile[];
  /** The byte that the match's seed repeats 32 times. */
  readonly seedByte: number;
  readonly players: number;
  /**
   * The replies to the questions of each hand, in order: f fold, k check, c call, a all-in, r40 raise by adding 40 chips, t no reply within
   * the time limit (the late reply is a call).
   */
  readonly hands: readonly string[];
}

export const startingStack = 1000;
export const bigBlind = 10;

const documented: readonly Profile[] = ['documented'];
const both: readonly Profile[] = ['documented', 'classic'];

/** The reference hands. Names and order are part of the suite; the seeds were chosen so that the last hand shows what `about` says. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'walk',
    about: 'Everybody folds to the big blind, which wins without a decision.',
    profiles: documented,
    seedByte: 1,
    players: 6,
    hands: ['f f f f f'],
  },
  {
    name: 'limped-pot',
    about:
      'Nobody raises before the flop, the big blind checks its option, and three streets are checked to the showdown.',
    profiles: both,
    seedByte: 2,
    players: 4,
    hands: ['c c c k k k k k k k k k k k k k'],
  },
  {
    name: 'three-way-all-in',
    about:
      'Three players with different stacks are all-in before the flop: a main pot, a side pot, and a bet that is returned.',
    profiles: both,
    seedByte: 7,
    players: 3,
    hands: ['r100 c c r200 c f k r200 f', 'a a a'],
  },
  {
    name: 'heads-up',
    about:
      'The button posts the small blind, acts first before the flop and last after it. The hand of seat-protocol.json.',
    profiles: both,
    seedByte: 7,
    players: 2,
    hands: ['r25 c r120 c r150 c f'],
  },
  {
    name: 'bust',
    about:
      'A player loses every chip in hand 1 and gets no calls after its on_end_game; the others play hand 2 heads-up.',
    profiles: documented,
    seedByte: 5,
    players: 3,
    hands: ['a f a', 'f'],
  },
  {
    name: 'dead-small-blind',
    about:
      'The big blind of hand 1 loses every chip: nobody posts the small blind of hand 2, whose id is still that of this player.',
    profiles: documented,
    seedByte: 10,
    players: 4,
    hands: ['f f a c', 'c c k k k k k k k k k k'],
  },
  {
    name: 'fold-out',
    about:
      'A bet on the turn that nobody calls: the uncalled part is returned, no further card is dealt, no cards are compared.',
    profiles: documented,
    seedByte: 6,
    players: 4,
    hands: ['c f r25 c c k r45 c f r100 f'],
  },
  {
    name: 'time-out',
    about:
      'A decision exceeds its time limit: the seat folds the hand, its late reply is discarded, and it plays the next hand.',
    profiles: documented,
    seedByte: 8,
    players: 3,
    hands: ['t c k k k k k k k', 'f f'],
  },
  {
    name: 'run-out',
    about:
      'A call of an all-in before the flop: the board is dealt without decisions, with both callbacks of each street.',
    profiles: documented,
    seedByte: 9,
    players: 3,
    hands: ['f a c'],
  },
];
