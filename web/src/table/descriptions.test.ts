import { expect, it } from 'vitest';
import { analyseSituation } from './analysis/analyse-hand.ts';
import { analysisInput, situationKey } from './analysis/situations.ts';
import { formatChips } from './chips.ts';
import { describeStep, moveChip } from './descriptions.ts';
import type { Game } from './game.ts';
import { statesOf } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';
import type { TableState } from './table-state.ts';

/** Returns the names of the hands on a complete board. */
function namesAt(game: Game, state: TableState) {
  const input = state.board.length < 5 ? null : analysisInput(game);
  const situation = input?.situations.find(({ key }) => key === situationKey(game, state));
  return input && situation ? analyseSituation(input, situation).seats.map((seat) => seat?.handName) : [];
}

/** Returns for each step the line, the chips of the seats and what is left in the pot. */
function told(game: Game): string[] {
  return statesOf(game, 'action').map((state) => {
    const chips = state.seats.map(({ move }) => (move === null ? '-' : moveChip(move, formatChips)));
    return `${describeStep(game, state, namesAt(game, state))} | ${chips.join(', ')} | ${state.potLeft}`;
  });
}

const twoHanded = { names: ['ann', 'bob'], start: [100, 100] };

it.each<[string, ReturnType<typeof sampleLog>, string[]]>([
  [
    'everybody folds: the uncalled part is returned and no hand is named',
    sampleLog([[...blinds, ...actions('2 RAISE 405, 0 FOLD 0, 1 FOLD 0')]], { final: [9_995, 9_990, 10_015] }),
    [
      'ann posts small blind $5. | POSTS $5, -, - | 5',
      'bob posts big blind $10. | POSTS $5, POSTS $10, - | 15',
      'cat raises to $405. | POSTS $5, POSTS $10, RAISE TO $405 | 420',
      'ann folds. | FOLDED, POSTS $10, RAISE TO $405 | 420',
      'bob folds. $395 returned to cat. cat wins $25. | FOLDED, FOLDED, RAISE TO $10 | 0',
    ],
  ],
  [
    'heads-up: a kicker decides, and the moves of a street are gone on the next',
    sampleLog(
      [
        [...blinds, ...actions('0 CALL 5, 1 CHECK 0')],
        actions('1 RAISE 20, 0 RAISE 60, 1 CALL 40'),
        actions('1 CHECK 0, 0 CALL 0'),
        actions('1 CHECK 0, 0 CHECK 0'),
      ],
      {
        ...twoHanded,
        final: [30, 170],
        hands: [
          ['3h', 'Qc'],
          ['3c', 'Ks'],
        ],
        board: ['3d', '8h', '9d', '5c', '2s'],
      },
    ),
    [
      'ann posts small blind $5. | POSTS $5, - | 5',
      'bob posts big blind $10. | POSTS $5, POSTS $10 | 15',
      'ann calls $5. | CALL $5, POSTS $10 | 20',
      'bob checks. | CALL $5, CHECK | 20',
      'bob bets $20. | -, BET $20 | 40',
      'ann raises to $60. | RAISE TO $60, BET $20 | 100',
      'bob calls $40. | RAISE TO $60, CALL $40 | 140',
      'bob checks. | -, CHECK | 140',
      'ann checks. | CHECK, CHECK | 140',
      'bob checks. | -, CHECK | 140',
      'ann checks. bob wins $140 with one pair, threes, king kicker. | CHECK, CHECK | 0',
    ],
  ],
  [
    'an all-in run-out: the bet that nobody covers is returned before the flop',
    sampleLog([[...blinds, ...actions('0 ALL IN 495, 1 ALL IN 90')]], {
      ...twoHanded,
      start: [500, 100],
      final: [600, 0],
      board: ['2d', '8h', '9d', 'Jc', 'As'],
    }),
    [
      'ann posts small blind $5. | POSTS $5, - | 5',
      'bob posts big blind $10. | POSTS $5, POSTS $10 | 15',
      'ann raises to $500 and is all-in. | ALL-IN $500, POSTS $10 | 510',
      'bob calls $90 and is all-in. | ALL-IN $500, ALL-IN $100 | 600',
      '$400 returned to ann. | ALL-IN $100, ALL-IN $100 | 200',
      'The flop is dealt. | ALL-IN $100, ALL-IN $100 | 200',
      'The turn is dealt. | ALL-IN $100, ALL-IN $100 | 200',
      'The river is dealt. | ALL-IN $100, ALL-IN $100 | 200',
      'ann wins $200 with three of a kind, twos. | ALL-IN $100, ALL-IN $100 | 0',
    ],
  ],
  [
    'side pots with a return, each split in one sentence',
    sampleLog([actions('0 ALL IN 50, 1 ALL IN 100, 2 RAISE 400')], {
      start: [50, 100, 1000],
      final: [0, 125, 1025],
      hands: [
        ['2h', '7c'],
        ['Ah', 'Qc'],
        ['Ac', 'Qd'],
      ],
      board: ['Kc', 'Kd', '9d', '9h', '3s'],
    }),
    [
      'ann bets $50 and is all-in. | ALL-IN $50, -, - | 50',
      'bob raises to $100 and is all-in. | ALL-IN $50, ALL-IN $100, - | 150',
      'cat raises to $400. | ALL-IN $50, ALL-IN $100, RAISE TO $400 | 550',
      '$300 returned to cat. | ALL-IN $50, ALL-IN $100, RAISE TO $100 | 250',
      'The flop is dealt. | ALL-IN $50, ALL-IN $100, - | 250',
      'The turn is dealt. | ALL-IN $50, ALL-IN $100, - | 250',
      'The river is dealt. | ALL-IN $50, ALL-IN $100, - | 250',
      'bob and cat split $100 from side pot 1 with two pair, kings and nines, ace kicker. | ALL-IN $50, ALL-IN $100, - | 150',
      'bob and cat split $150 from the main pot with two pair, kings and nines, ace kicker. | ALL-IN $50, ALL-IN $100, - | 0',
    ],
  ],
])('%s', (_, log, steps) => {
  expect(told(gameOf(log))).toEqual(steps);
});
