// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { RankedEntries } from './ranked-entries.tsx';

afterEach(cleanup);

const entries = [
  { id: '1', username: 'ann', score: 1_204.5, tag: '2025', note: '12 matches' },
  { id: '2', username: 'b c', score: -3, tag: 'cup' },
];
const ranked = entries.map((entry, at) => ({ ...entry, rank: 101 + at }));
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('shows the ranks, marks the own one and links the profiles', () => {
  renderInApp(<RankedEntries label="Board" entries={ranked} currentUser="b c" />);
  expect(rows()).toEqual(['#101ann+1,204.5Delta Money12 matches', '#102b c (You)-3Delta Money']);
  expect(screen.getByRole('listitem', { current: true }).textContent).toContain('b c');
  expect(screen.getByRole('link', { name: 'b c' }).getAttribute('href')).toBe('/profile/b%20c');
});

it('shows tags and actions on request, and the first ranks as pictures with a text', () => {
  const actions = ({ id }: { id: string }) => <button type="button">Delete {id}</button>;
  renderInApp(<RankedEntries label="Board" entries={entries} currentUser={null} showTag actions={actions} />);
  expect(rows()[0]).toBe('#1ann2025+1,204.5Delta Money12 matchesDelete 1');
  expect(screen.getByTitle('Rank 2')).toBeTruthy();
});

it('gives equal scores the same rank and picture, whatever the names', () => {
  const tied = ['zoe', 'ann', 'bob', 'cat'].map((username, at) => ({
    id: username,
    username,
    score: [9, 9, 5, 5][at] ?? 0,
  }));
  renderInApp(<RankedEntries label="Board" entries={tied} currentUser={null} />);
  expect(screen.getAllByTitle('Rank 1')).toHaveLength(2);
  expect(screen.getAllByTitle('Rank 3')).toHaveLength(2);
});
