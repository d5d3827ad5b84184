// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreetInsight } from './analysis/analyse-hand.ts';
import { UNKNOWN_CARD, type Verdict } from './game.ts';
import { PlayingCard } from './playing-card.tsx';
import { PokerTable } from './poker-table.tsx';
import { setPreferences } from './preferences.ts';
import { ReplayPair } from './replay-pair.tsx';
import { stateAt } from './replay-state.ts';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';
import { SilentWorker } from './silent-worker.ts';

describe('playing card', () => {
  afterEach(cleanup);

  it.each([
    ['Td', 'Ten of diamonds', '10♦'],
    ['As', 'Ace of spades', 'A♠'],
    ['7h', '7 of hearts', '7♥'],
    [UNKNOWN_CARD, 'unknown card', '?'],
    ['Kx', 'unknown card', '?'],
  ])('the card %s has the name %s and the face %s', (code, name, face) => {
    render(<PlayingCard code={code} />);
    expect(screen.getByRole('img', { name }).textContent).toBe(face);
  });

  it('a face-down card does not contain its rank and suit', () => {
    const { container } = render(<PlayingCard code="As" hidden />);
    expect(screen.getByRole('img', { name: 'face-down card' })).toBeDefined();
    expect(container.innerHTML).not.toMatch(/A|♠|spades/);
  });
});

describe('poker table', () => {
  const END = Number.MAX_SAFE_INTEGER;
  const game = gameOf(
    sampleLog([[...blinds, ...actions('2 ALL IN 100, 0 FOLD 0, 1 CALL 90')]], {
      start: [100, 200, 100],
      final: [95, 305, 0],
    }),
  );
  const insight: StreetInsight = {
    key: '',
    seats: [
      null,
      { handName: 'Pair, threes', win: 0.004, tie: 0, equity: 0.004, best: ['3h', '3c', 'Ks', '9d', 'Jc'] },
      null,
    ],
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

  it('each seat has its stack, blind and last action, and the line has the step in words', () => {
    const { ann, bob, cat } = show(3);
    expect(ann).toMatch(/ann\$95SBFOLDED$/);
    expect(bob).toMatch(/bob\$190BBPOSTS \$10/);
    expect(cat).toMatch(/cat\$0ALL-IN \$100/);
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByText('ann folds.')).toBeDefined();
  });

  it('a seat has the name of its hand and its chance, both only while cards are shown', () => {
    expect(show(3).bob).toContain('Pair, threeswins <1%');
    cleanup();
    expect(show(3, { showCards: false }).bob).not.toContain('Pair');
    expect(screen.getAllByRole('img', { name: 'face-down card' })).toHaveLength(6);
  });

  it("at the showdown the pot is gone, the winner's five cards stand out and the loser is dimmed", () => {
    show(3);
    expect(screen.getByRole('group', { name: 'Community cards: 0 of 5' })).toBeDefined();
    expect(document.querySelector('.felt-paid')).toBeNull();
    cleanup();
    expect(show(END).bob).toContain('WINS $205');
    const board = screen.getByRole('group', { name: 'Community cards: 5 of 5' });
    expect(board.textContent).toBe('K♠3♥9♦J♣4♠');
    const dimmed = [...board.querySelectorAll('.card-dim')].map((card) => card.textContent);
    expect(dimmed).toEqual(['4♠']);
    expect([...document.querySelectorAll('.seat-lost .card-dim')].map((card) => card.textContent)).toEqual([
      '4♥',
      '4♣',
    ]);
    expect(document.querySelector('.felt-paid')).not.toBeNull();
    expect(screen.getByText('bob wins $205 with pair, threes.')).toBeDefined();
  });

  it('a player without chips is the dimmest, and no hand is named where everybody else folded', () => {
    const log = sampleLog([[...blinds, ...actions('0 FOLD 0')]], { start: [100, 100, 0], final: [95, 105, 0] });
    const folded = gameOf({ ...log, playerHands: { 0: ['2h', '2c'], 1: ['3h', '3c'] } });
    const state = stateAt(folded, 'action', END);
    render(<PokerTable game={folded} state={state} showCards insight={insight} verdicts={[]} announce />);
    expect(document.querySelector('.seat-out')?.textContent).toBe('cat$0OUT');
    expect(screen.getByRole('list', { name: 'Players' }).textContent).not.toContain('threes');
    expect(screen.getByRole('status').textContent).toBe('ann folds. $5 returned to bob. bob wins $10.');
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
});

describe('replay pair', () => {
  const handOf = (text: string) => gameOf(sampleLog([[...blinds, ...actions(text)]], {}));

  beforeEach(() => void vi.stubGlobal('Worker', SilentWorker));
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('steps both hands with one control, as far as the longer one goes', () => {
    const hands = [
      { label: 'A', game: handOf('2 FOLD 0, 0 FOLD 0') },
      { label: 'B', game: handOf('2 CALL 10, 0 CALL 5, 1 CHECK 0') },
    ] as const;
    render(<ReplayPair hands={hands} />);
    const lines = () => screen.getAllByRole('figure').map((figure) => within(figure).getByText(/\.$/).textContent);
    for (let step = 0; step < 3; step++) fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    const [a, b] = lines();
    expect(a).toMatch(/folds/);
    expect(b).toMatch(/calls/);
    while (!(screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled)
      fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(lines()[0]).toMatch(/wins/);
  });
});
