import { Action } from '@husky/holdem/action';
import { parseCards } from '@husky/holdem/card';
import { expect, it, test } from 'vitest';
import { gameJson, type PlayedAction, type PlayedHand } from '../src/game-json.ts';
import { parseStacks } from '../src/stacks.ts';

const { FOLD, CHECK, CALL, RAISE, ALL_IN } = Action;
const at = 1_760_000_000_000;
const actions = (...rows: [0 | 1 | 2 | 3, number, 1 | 2 | 3 | 4 | 5, number][]): PlayedAction[] =>
  rows.map(([street, seat, kind, amount], index) => ({ street, seat, kind, amount, atMs: index * 10 }));

/** Seat 1 is busted; seat 0 deals, 2 and 3 are the blinds. */
const hand: PlayedHand = {
  startedAtMs: at,
  startingStack: 10_000,
  startStacks: [15_000, 0, 20_000, 5000],
  matchDeltas: [4990, -10_000, 5000, 10],
  deltas: [-10, 0, -5000, 5010],
  dealtIn: [true, false, true, true],
  holeCards: [parseCards('AhKh'), parseCards('2c2d'), parseCards('QsQd'), parseCards('AsAd')],
  board: parseCards('2h7d9cJsTc'),
  blinds: { small: 5, big: 10 },
  button: 0,
  smallBlindSeat: 2,
  bigBlindSeat: 3,
  actions: actions(
    [0, 2, RAISE, 5],
    [0, 3, RAISE, 10],
    [0, 0, CALL, 10],
    [0, 2, CALL, 5],
    [0, 3, CHECK, 0],
    [1, 2, RAISE, 40],
    [1, 3, ALL_IN, 4990],
    [1, 0, FOLD, 0],
    [1, 2, CALL, 4950],
  ),
  verdicts: [],
};
const parse = (change: Partial<PlayedHand> = {}) => JSON.parse(gameJson('the-job', { ...hand, ...change }));

test('writes keys in the order of original game logs, followed by our own keys', () => {
  const game = parse({ verdicts: [{ round: 1, index: 2, seat: 0, code: 'timeout', text: 'did not answer in time' }] });
  expect(Object.keys(game)).toEqual([
    'gameId',
    'rounds',
    'playerNames',
    'blinds',
    'finalBoard',
    'sidePots',
    'playerMoney',
    'playerHands',
    'usernameMapping',
    'playerIdToUsername',
    'button',
    'smallBlindSeat',
    'bigBlindSeat',
    'verdicts',
  ]);
  expect(Object.keys(game.rounds['0'])).toEqual(['pot', 'bets', 'actions', 'action_sequence', 'actionTimes']);
  expect(Object.keys(game.rounds['0'].action_sequence[0])).toEqual([
    'player',
    'action',
    'amount',
    'timestamp',
    'pot_after_action',
    'side_pots_after_action',
    'total_pot_after_action',
    'total_side_pots_after_action',
  ]);
  expect(Object.keys(game.playerMoney)).toEqual([
    'initialAmount',
    'startingMoney',
    'startingDelta',
    'finalMoney',
    'finalDelta',
    'gameScores',
    'thisGameDelta',
  ]);
  expect(parse()).not.toHaveProperty('verdicts');
});

test('writes the blinds as the first actions and the added chips as amounts', () => {
  const { rounds } = parse();
  expect(rounds['0'].action_sequence.slice(0, 2)).toMatchObject([
    { player: 2, action: 'RAISE', amount: 5, timestamp: at, pot_after_action: 5 },
    { player: 3, action: 'RAISE', amount: 10, timestamp: at + 10, pot_after_action: 15 },
  ]);
  expect(rounds['0']).toMatchObject({
    pot: 30,
    bets: { 0: 10, 2: 10, 3: 10 },
    actions: { 0: 'CALL', 2: 'CALL', 3: 'CHECK' },
    actionTimes: { 0: 20, 2: 30, 3: 40 },
  });
});

test('computes pots from the bets, with eligible players by id and top-level side pots by seat', () => {
  const { rounds, sidePots } = parse();
  const [raise, shove, fold, call] = rounds['1'].action_sequence;
  expect(raise).toMatchObject({
    side_pots_after_action: [{ amount: 40, eligible_players: [3] }],
    total_pot_after_action: 70,
    total_side_pots_after_action: [
      { id: 0, amount: 30, eligible_players: [1, 3, 4] },
      { id: 1, amount: 40, eligible_players: [3] },
    ],
  });
  expect(shove).toMatchObject({ action: 'ALL IN', amount: 4990, pot_after_action: 5030 });
  expect(fold.total_side_pots_after_action).toEqual([
    { id: 0, amount: 110, eligible_players: [3, 4] },
    { id: 1, amount: 4950, eligible_players: [4] },
  ]);
  expect(call.total_side_pots_after_action).toEqual([{ id: 0, amount: 10_010, eligible_players: [3, 4] }]);
  expect(sidePots).toEqual([{ amount: 0, eligible_players: [2, 3] }]);
});

test('writes streets that were dealt without a decision as empty rounds', () => {
  const { rounds } = parse();
  expect(Object.keys(rounds)).toEqual(['0', '1', '2', '3']);
  expect(rounds['3']).toEqual({
    pot: 0,
    bets: { 2: 0, 3: 0 },
    actions: { 2: 'NO_ACTION', 3: 'NO_ACTION' },
    action_sequence: [],
    actionTimes: {},
  });
});

test('writes a busted player with name and money but without cards', () => {
  const game = parse();
  expect(game.playerNames).toEqual({ 0: 'player1', 1: 'player2', 2: 'player3', 3: 'player4' });
  expect(game.playerHands).toEqual({ 0: ['Ah', 'Kh'], 2: ['Qs', 'Qd'], 3: ['As', 'Ad'] });
  expect(game.playerMoney).toMatchObject({
    initialAmount: 10_000,
    startingMoney: { 1: 15_000, 2: 0, 3: 20_000, 4: 5000 },
    startingDelta: { 1: 5000, 2: -10_000, 3: 10_000, 4: -5000 },
    finalMoney: { 1: 14_990, 2: 0, 3: 15_000, 4: 10_010 },
    finalDelta: { 1: 4990, 2: -10_000, 3: 5000, 4: 10 },
    thisGameDelta: { 1: -10, 2: 0, 3: -5000, 4: 5010 },
  });
});

test('writes a hand that ends before the flop as one round with an empty board', () => {
  const walk = actions([0, 2, RAISE, 5], [0, 3, RAISE, 10], [0, 0, FOLD, 0], [0, 2, FOLD, 0]);
  const game = parse({ actions: walk, board: [], deltas: [0, 0, -5, 5] });
  expect(Object.keys(game.rounds)).toEqual(['0']);
  expect(game.finalBoard).toEqual([]);
  expect(game.rounds['0'].actions).toEqual({ 0: 'FOLD', 2: 'FOLD', 3: 'RAISE' });
  expect(game.sidePots).toEqual([{ amount: 15, eligible_players: [3] }]);
});

test('with reset stacks shows the chips of the hand beside the results of the match', () => {
  const startStacks = [10_000, 10_000, 10_000, 10_000];
  const { playerMoney } = parse({ startStacks, matchDeltas: [7000, -12_000, 15_000, -10_000] });
  expect(playerMoney).toMatchObject({
    startingMoney: { 1: 10_000, 2: 10_000, 3: 10_000, 4: 10_000 },
    startingDelta: { 1: 7010, 2: -12_000, 3: 20_000, 4: -15_010 },
    finalMoney: { 1: 9990, 2: 10_000, 3: 5000, 4: 15_010 },
    finalDelta: { 1: 7000, 2: -12_000, 3: 15_000, 4: -10_000 },
  });
});

it('reads the two modes, and matches of releases without the field as carried', () => {
  expect(['carry', 'reset', ''].map(parseStacks)).toEqual(['carry', 'reset', 'carry']);
});

it('refuses any other text and quotes at most 40 characters of it', () => {
  expect(() => parseStacks('Reset')).toThrow(new RangeError("stacks are 'carry' or 'reset', not 'Reset'"));
  expect(() => parseStacks('x'.repeat(50))).toThrow(`not '${'x'.repeat(40)}'`);
});
