// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { StreetInsight } from './analysis/analyse-hand.ts';
import { situationKey } from './analysis/situations.ts';
import { ChancesPanel, NotesPanel, PotsPanel, ResultsPanel, StacksPanel } from './panels.tsx';
import { stateAt } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';

const END = Number.MAX_SAFE_INTEGER;
const log = sampleLog([[...blinds, ...actions('2 RAISE 40, 0 FOLD 0, 1 FOLD 0')]], { final: [9_995, 9_990, 10_015] });
const game = gameOf(log);

afterEach(cleanup);

const texts = (role: 'listitem' | 'row') => screen.getAllByRole(role).map((element) => element.textContent);

it('the stacks have their change in this hand so far', () => {
  render(<StacksPanel game={game} state={stateAt(game, 'action', 2)} />);
  expect(texts('listitem')).toEqual(['annSB$9,995net -$5', 'bobBB$9,990net -$10', 'cat$9,960net -$40']);
});

it('a pot has the players who can still win it, and the table says what was returned and paid to whom', () => {
  const state = stateAt(game, 'action', 3);
  const pots = [
    { id: 0, amount: 45, eligible: [1, 2] },
    { id: 1, amount: 10, eligible: [] },
  ];
  const { rerender } = render(<PotsPanel game={game} state={{ ...state, pots }} />);
  expect(texts('row').slice(1)).toEqual(['0$45bob, cat', '1$10None', 'TOTAL POT$55']);
  rerender(<PotsPanel game={game} state={{ ...stateAt(game, 'action', END), pots }} />);
  expect(texts('row').slice(3)).toEqual(['TOTAL POT$25', 'RETURNED$30to cat', 'PAID$25to cat']);
  rerender(<PotsPanel game={game} state={{ ...state, pots: [] }} />);
  expect(screen.getByText('No pots available at this point in the game.')).toBeDefined();
});

it('the results begin with the winner and leave out who neither won nor lost', () => {
  render(<ResultsPanel game={game} state={stateAt(game, 'action', END)} />);
  expect(texts('listitem')).toEqual(['catWON $25net +$15', 'annLOSTnet -$5', 'bobLOSTnet -$10']);
});

it('the results say if the log has no final stacks of a hand with a showdown', () => {
  const { playerMoney, ...rest } = sampleLog([[...blinds, ...actions('2 CALL 10, 0 CALL 5, 1 CHECK 0')]]);
  const unknown = gameOf({ ...rest, playerMoney: { ...playerMoney, finalMoney: undefined } });
  render(<ResultsPanel game={unknown} state={stateAt(unknown, 'action', END)} />);
  expect(screen.getByRole('region', { name: 'GAME RESULTS' }).textContent).toContain('does not say how the hand ended');
});

it('the notes have faults with their player, then irregularities of the file; without either there is no panel', () => {
  const verdict = { round: 0, action: 2, seat: 2, code: 'timeout', text: 'No action within 1 s.' };
  render(<NotesPanel game={{ ...game, warnings: ['A card is unknown.'] }} verdicts={[verdict]} />);
  expect(texts('listitem')).toEqual(['timeout cat: No action within 1 s.', 'A card is unknown.']);
  cleanup();
  const { container } = render(<NotesPanel game={{ ...game, warnings: [] }} verdicts={[]} />);
  expect(container.innerHTML).toBe('');
});

it('the chances are counted, unknown, or listed with a line over the steps', () => {
  const state = stateAt(game, 'action', 2);
  const insight: StreetInsight = {
    key: situationKey(game, state),
    seats: [
      null,
      { handName: null, win: 0.25, tie: 0.1, equity: 0.3 },
      { handName: 'Fours', win: null, tie: null, equity: null },
    ],
  };
  const panel = (known: StreetInsight | null, waiting: boolean) => (
    <ChancesPanel
      game={game}
      state={state}
      insights={new Map(known ? [[known.key, known]] : [])}
      insight={known}
      waiting={waiting}
    />
  );
  const { rerender } = render(panel(null, true));
  const chances = within(screen.getByRole('region', { name: 'HANDS & CHANCES' }));
  expect(chances.getByText('Counting boards...')).toBeDefined();
  rerender(panel(null, false));
  expect(chances.getByText('Not known for this hand.')).toBeDefined();
  expect(chances.queryByRole('img')).toBeNull();
  rerender(panel(insight, false));
  expect(texts('row').slice(1)).toEqual(['bob–25.0%10.0%', 'catFours––']);
  expect(chances.getByRole('img', { name: /Chances over the steps/ })).toBeDefined();
});
