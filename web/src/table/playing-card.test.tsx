// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { UNKNOWN_CARD } from './game.ts';
import { PlayingCard } from './playing-card.tsx';

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
