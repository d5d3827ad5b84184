import { expect, it } from 'vitest';
import { analyseSituation } from './analysis/analyse-hand.ts';
import { analysisInput } from './analysis/situations.ts';
import { equitiesOf } from './equity-line.tsx';
import { statesOf } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog, sum } from './sample-log.ts';
import { soundOf } from './sound.ts';

const game = gameOf(
  sampleLog([[...blinds, [2, 'FOLD', 0], [0, 'CALL', 5], [1, 'CHECK', 0]], actions('0 ALL IN 90, 1 CALL 90')], {
    start: [100, 200, 100],
    final: [0, 300, 100],
    board: ['Ks', '7h', '9d', 'Jc', '5s'],
  }),
);

it('equities of every step of a run-out add up to 1; a folded seat has none', () => {
  const input = analysisInput(game);
  if (input === null) throw new Error('no input');
  const insights = new Map(input.situations.map((situation) => [situation.key, analyseSituation(input, situation)]));
  const lines = equitiesOf(game, 'action', insights);
  const steps = statesOf(game, 'action');
  expect(lines.map((line) => line.length)).toEqual([steps.length, steps.length, steps.length]);
  for (const { step } of steps) expect(sum(lines.map((line) => line[step] ?? 0))).toBeCloseTo(1, 9);
  expect(lines[2]?.slice(2).every((equity) => equity === null)).toBe(true);
  // Threes against twos: certain on the river, and a favourite at every step before.
  expect(lines[1]?.at(-1)).toBe(1);
  expect(lines[1]?.slice(2).every((equity) => (equity ?? 0) > 0.5)).toBe(true);
});

it('has a sound for each kind of step', () => {
  expect(statesOf(game, 'action').map(soundOf)).toEqual([
    'chips',
    'chips',
    'fold',
    'chips',
    'check',
    'chips',
    'chips',
    'card',
    'card',
    'win',
  ]);
  expect(statesOf(game, 'round').map(soundOf)).toEqual([null, 'win']);
});
