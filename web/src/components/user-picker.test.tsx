// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { RosterPage } from './roster-page.tsx';
import { arrangeCandidates, toggleCandidate } from './user-picker.tsx';

const FINALS = Array.from({ length: 11 }, (_, index) => `bot-${String(index).padStart(2, '0')}`);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Example() {
  const [roster, setRoster] = useState<string[]>([]);
  return (
    <RosterPage
      title="Simulation"
      lead=""
      rosterTitle="ROSTER"
      count={`${roster.length}/2`}
      ready={roster.length === 2}
      roster={roster}
      seats={2}
      limit={2}
      onRoster={setRoster}
    >
      {null}
    </RosterPage>
  );
}

async function show() {
  stubApi((call) =>
    call.includes('/with-final')
      ? Response.json({ users_list: FINALS })
      : Response.json([{ username: 'ann' }], { headers: { 'X-Total-Count': '1' } }),
  );
  renderInApp(<Example />);
  await screen.findByLabelText('Select bot-00');
}

const box = (name: string) => screen.getByLabelText<HTMLInputElement>(`Select ${name}`);
const seats = () =>
  within(screen.getByRole('region', { name: 'ROSTER' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const names = () => screen.getAllByRole('checkbox').map((input) => input.getAttribute('aria-label')?.slice(7));

it('selects users up to the limit, in the order of selection, and shows empty seats', async () => {
  await show();
  expect(seats()).toEqual(['empty', 'empty']);
  fireEvent.click(box('bot-03'));
  fireEvent.click(box('bot-01'));
  expect(seats()).toEqual(['bot-03', 'bot-01']);
  expect([box('bot-00').disabled, box('bot-03').disabled]).toEqual([true, false]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove bot-03' }));
  expect(seats()).toEqual(['bot-01', 'empty']);
  fireEvent.click(screen.getByRole('button', { name: 'CLEAR ALL' }));
  expect(seats()).toEqual(['empty', 'empty']);
});

it('does not select a user without a final submission', async () => {
  await show();
  fireEvent.change(screen.getByLabelText('Search users'), { target: { value: 'AN' } });
  expect([names(), box('ann').disabled]).toEqual([['ann'], true]);
  fireEvent.change(screen.getByLabelText('Search users'), { target: { value: 'nobody' } });
  expect(screen.getByText('No users found')).toBeTruthy();
});

it('pages the users, and sorts them by final submission or by name', async () => {
  await show();
  expect(names()).toEqual(FINALS.slice(0, 10));
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(names()).toEqual(['bot-10', 'ann']);
  fireEvent.click(screen.getByRole('button', { name: 'First' }));
  const sort = () => fireEvent.click(screen.getByRole('button', { name: 'FINAL SUB' }));
  sort();
  expect(names().slice(0, 2)).toEqual(['ann', 'bot-00']);
  sort();
  expect(screen.getByRole('columnheader', { name: 'FINAL SUB' }).getAttribute('aria-sort')).toBe('none');
});

describe('candidates', () => {
  const people = [
    { username: 'zoe', hasFinal: true },
    { username: 'Ann', hasFinal: false },
    { username: 'bob', hasFinal: true },
  ];
  const names = (list: { username: string }[]) => list.map((entry) => entry.username);

  describe('the picker of participants', () => {
    it('sorts by final submission, then by name', () => {
      expect(names(arrangeCandidates(people, '', 'final-first'))).toEqual(['bob', 'zoe', 'Ann']);
      expect(names(arrangeCandidates(people, '', 'final-last'))).toEqual(['Ann', 'bob', 'zoe']);
      expect(names(arrangeCandidates(people, '', 'name'))).toEqual(['Ann', 'bob', 'zoe']);
    });
    it('searches case-insensitively', () => expect(names(arrangeCandidates(people, ' AN ', 'name'))).toEqual(['Ann']));
    it('selects and deselects, and ignores a selection beyond the limit', () => {
      expect(toggleCandidate(['a'], 'b', 2)).toEqual(['a', 'b']);
      expect(toggleCandidate(['a', 'b'], 'c', 2)).toEqual(['a', 'b']);
      expect(toggleCandidate(['a', 'b'], 'a', 2)).toEqual(['b']);
    });
  });
});
