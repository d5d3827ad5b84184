// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { StreetInsight } from './analysis/analyse-hand.ts';
import type { Verdict } from './game.ts';
import { PokerTable } from './poker-table.tsx';
import { setPreferences } from './preferences.ts';
import { stateAt } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';

const END = Number.MAX_SAFE_INTEGER;
const game = gameOf(
  sampleLog([[...blinds, ...actions('2 ALL IN 100, 0 FOLD 0, 1 CALL 90')]], {
    start: [100, 200, 100],
    final: [95, 305, 0],
  }),
);
const insight: StreetInsight = {
  key: '',
  seats: [null, { handName: 'Pair, threes', win: 0.004, tie: 0, equity: 0.004 }, null],
};

afterEach(() => {
  cleanup();
  setPreferences({ fourColourDeck: false });
});

function show(step: number, more: { showCards?: boolean; verdicts?: Verdict[] } = {}) {
  const state = stateAt(game, 'action', step);
  render(<PokerTable game={game} state={state} showCards insight={insight} verdicts={[]} {...more} />);
  const [ann, bob, cat] = within(screen.getByRole('list', { name: 'Players' })).getAllByRole('listitem');
  return { ann: ann?.textContent, bob: bob?.textContent, cat: cat?.textContent };
}

it('each seat has its stack, blind, bet and marks', () => {
  const { ann, bob, cat } = show(3);
  expect(ann).toContain('FOLDED');
  expect(bob).toMatch(/bob\$190.*BB/);
  expect(bob).toContain('bet on this street: $10');
  expect(cat).toMatch(/cat\$0.*ALL-IN.*bet on this street: \$100/);
});

it('a seat has the name of its hand and its chance, both only while cards are shown', () => {
  expect(show(3).bob).toContain('Pair, threeswins <1%');
  cleanup();
  expect(show(3, { showCards: false }).bob).not.toContain('Pair');
  expect(screen.getAllByRole('img', { name: 'face-down card' })).toHaveLength(6);
});

it('the board has the cards of the street, and the payments are listed at the end', () => {
  show(3);
  expect(screen.getByRole('group', { name: 'Community cards: 0 of 5' })).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Paid' })).toBeNull();
  cleanup();
  expect(show(END).bob).toContain('+$205');
  expect(screen.getByRole('group', { name: 'Community cards: 5 of 5' }).textContent).toBe('K♠3♥9♦J♣4♠');
  expect(screen.getByRole('list', { name: 'Paid' }).textContent).toBe('bob wins $205 with pair, threes');
});

it('a fault is marked at its seat', () => {
  const verdict = { round: 0, action: 2, seat: 2, code: 'timeout', text: 'No action within 1 s.' };
  const { bob, cat } = show(2, { verdicts: [verdict] });
  expect([bob?.includes('timeout'), cat?.includes('! timeout')]).toEqual([false, true]);
});

it('the four-colour deck is a setting', () => {
  setPreferences({ fourColourDeck: true });
  show(0);
  expect(screen.getByRole('region', { name: 'Table, Pre-flop' }).className).toContain('four-colour-deck');
});
