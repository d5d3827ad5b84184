// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engineLogs } from './engine-log.ts';
import { realLogs } from './fixtures/load-fixtures.ts';
import { NotationPanel, notationOf } from './notation-panel.tsx';
import { setPreferences } from './preferences.ts';
import { marksOf } from './replay-controls.tsx';
import { stateAt, statesOf } from './replay-state.ts';
import { blinds, gameOf, sampleLog } from './sample-log.ts';
import { SettingsDialog } from './settings-dialog.tsx';

const game = gameOf(sampleLog([[...blinds, [2, 'RAISE', 40], [0, 'FOLD', 0], [1, 'FOLD', 0]]]));

afterEach(() => {
  cleanup();
  setPreferences({ bigBlinds: false });
});

it('a line goes to its step, and the line of the current step is marked', () => {
  const onStep = vi.fn();
  render(<NotationPanel game={game} state={stateAt(game, 'action', 2)} handNames={[]} showCards onStep={onStep} />);
  expect(screen.getByRole('button', { name: 'cat: raises to $40' }).getAttribute('aria-current')).toBe('step');
  fireEvent.click(screen.getByRole('button', { name: 'bob: posts big blind $10' }));
  expect(onStep).toHaveBeenCalledWith(1);
});

it('amounts change to big blinds when the setting does, and the setting is stored', () => {
  render(
    <>
      <NotationPanel game={game} state={stateAt(game, 'action', 2)} handNames={[]} showCards onStep={vi.fn()} />
      <SettingsDialog open onClose={vi.fn()} />
    </>,
  );
  fireEvent.click(screen.getByRole('checkbox', { name: 'Amounts in big blinds' }));
  expect(screen.getByText('cat: raises to 4 BB')).toBeDefined();
  expect(JSON.parse(localStorage.getItem('husky.table') ?? '')).toMatchObject({ bigBlinds: true, sound: false });
});

// Ann is all-in for 50, cat for 100; bob covers both and loses both pots.
const allIn = gameOf(
  sampleLog([[...blinds, [2, 'ALL IN', 100], [0, 'ALL IN', 45], [1, 'CALL', 90]]], {
    start: [50, 200, 100],
    final: [150, 100, 100],
  }),
);
const handNames = ['Two Pair, Kings and Nines', 'High Card, King', 'One Pair, Kings'];

describe('the notation of a hand', () => {
  it('has posts, cards, actions, streets, pots with the hands that win them, and results', () => {
    const lines = notationOf(allIn, { handNames });
    expect(lines.map(({ text, step }) => [text, step])).toEqual([
      ["No-Limit Hold'em ($5/$10)", null],
      ['Seat 1: ann, $50', null],
      ['Seat 2: bob, $200', null],
      ['Seat 3: cat, $100', null],
      ['ann: posts small blind $5', 0],
      ['bob: posts big blind $10', 1],
      ['*** HOLE CARDS ***', null],
      ['ann: [2h 2c]', null],
      ['bob: [3h 3c]', null],
      ['cat: [4h 4c]', null],
      ['cat: raises to $100 and is all-in', 2],
      ['ann: calls $45 and is all-in', 3],
      ['bob: calls $90', 4],
      ['*** FLOP *** [Ks 3h 9d]', 5],
      ['*** TURN *** [Ks 3h 9d] [Jc]', 6],
      ['*** RIVER *** [Ks 3h 9d Jc] [4s]', 7],
      ['cat wins $100 from side pot 1 with one pair, kings', 8],
      ['ann wins $150 from the main pot with two pair, kings and nines', 9],
      ['*** RESULT ***', 9],
      ['ann: net +$100', 9],
      ['bob: net -$100', 9],
    ]);
  });

  it('returns an uncalled bet apart and names no hand if everybody else folded', () => {
    const game = gameOf(
      sampleLog([[...blinds, [2, 'RAISE', 40], [0, 'FOLD', 0], [1, 'FOLD', 0]]], { final: [9_995, 9_990, 10_015] }),
    );
    expect(
      notationOf(game, { handNames })
        .map(({ text }) => text)
        .slice(-6),
    ).toEqual([
      '$30 returned to cat',
      'cat wins $25',
      '*** RESULT ***',
      'ann: net -$5',
      'bob: net -$10',
      'cat: net +$15',
    ]);
  });

  it('omits the hole cards while cards are hidden', () => {
    expect(
      notationOf(allIn, { showCards: false })
        .map(({ text }) => text)
        .join('\n'),
    ).not.toMatch(/HOLE CARDS|2h/);
  });

  it.each([...realLogs().map(({ text }) => JSON.parse(text)), ...engineLogs(6, 20, 7)])(
    'has a line for every step of a real or random hand (%#)',
    (log) => {
      const game = gameOf(log);
      const states = statesOf(game, 'action');
      const steps = new Set(notationOf(game).map(({ step }) => step));
      for (const state of states) if (state.steps > 0) expect(steps).toContain(state.step);
    },
  );
});

it('marks streets, all-ins and the first pot of 100 big blinds', () => {
  expect(marksOf(allIn, 'action').map(({ step, kind, label }) => [step, kind, label])).toEqual([
    [5, 'street', 'Flop'],
    [6, 'street', 'Turn'],
    [7, 'street', 'River'],
    [2, 'all-in', 'All-in'],
    [3, 'all-in', 'All-in'],
  ]);
  const big = gameOf(sampleLog([[...blinds, [2, 'RAISE', 990], [0, 'FOLD', 0], [1, 'FOLD', 0]]]));
  expect(marksOf(big, 'action')).toEqual([{ step: 2, kind: 'big-pot', label: 'Pot of 100 big blinds' }]);
});
