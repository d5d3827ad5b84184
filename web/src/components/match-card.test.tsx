// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { type CardMatch, MatchCards } from './match-card.tsx';

afterEach(cleanup);

const match: CardMatch = {
  job_id: 'j',
  batch_number: 3,
  batch_is_public: true,
  game_number: 7,
  players: ['ann', 'ben'],
  status: 'Finished',
  winner: 'ann',
  winner_delta: 1_204,
  hands: 1_000,
  end_reason: null,
  first_game_created_at: '2026-11-22T10:00:00Z',
};
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

it('shows who won and how the match ended, and links match and batch', () => {
  const { container } = renderInApp(<MatchCards matches={[match]} />);
  expect(container.textContent).toContain('ann won +1,204');
  expect(container.textContent).toContain('1,000 hands, all played');
  expect(screen.queryByText('LIVE')).toBeNull();
  expect(links()).toEqual(['/games/j?gameNumber=7', '/batches/3']);
});

it('marks a match in play, and does not link a private batch', () => {
  renderInApp(<MatchCards matches={[{ ...match, status: 'Running', batch_is_public: false }]} />);
  expect(screen.getByText('LIVE')).toBeTruthy();
  expect(screen.getByText('ann leads with +1,204')).toBeTruthy();
  expect(links()).toEqual(['/games/j?gameNumber=7']);
});
