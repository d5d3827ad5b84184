// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import type { StandingsResponse } from '../lib/types.ts';
import { standingsFixture } from './fixture.ts';
import { StandingsView } from './standings-view.tsx';

afterEach(cleanup);

function Address() {
  return <output>{useLocation().search}</output>;
}

function show(standings: StandingsResponse, search = '') {
  return render(
    <MemoryRouter initialEntries={[`/batches/7${search}`]}>
      <StandingsView standings={standings} name="batch-7" onSaveCsv={() => undefined} />
      <Address />
    </MemoryRouter>,
  );
}

const table = () => screen.getByRole('table', { name: /^Standings with 95 % intervals/ });
const columns = () =>
  within(table())
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
const rows = () =>
  within(table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

it('shows points with intervals, ties and a sentence for each column', () => {
  show(standingsFixture());
  expect(rows()[0]).toContain('#1ann');
  expect(rows()[0]).toContain('+250.3+100.3 to +400.3');
  expect(rows()[1]).toContain('#2–3bennot distinguishable from cat');
  expect(screen.getByRole('img', { name: /^Adjusted points with 95 % intervals: ann \+250\.3/ })).toBeTruthy();
  expect(within(table()).queryByText('Raw')).toBeNull();
  expect(screen.getByText(/Counted: 6 finished matches with 6,000 hands\.$/)).toBeTruthy();
  expect(screen.getByText(/so there are no duplicate estimates/)).toBeTruthy();
  expect(screen.getByText(/^Strength by the finishing order/)).toBeTruthy();
});

it('keeps estimator, unit, sort and pair in the address', () => {
  show(standingsFixture());
  fireEvent.change(screen.getByLabelText('Estimator'), { target: { value: 'raw' } });
  expect(rows().every((row) => row?.startsWith('#1–3'))).toBe(true);
  fireEvent.change(screen.getByLabelText('Unit'), { target: { value: 'bb' } });
  expect(rows()[0]).toContain('+29.03');
  fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'rating' } });
  expect(rows().map((row) => row?.slice(4, 7))).toEqual(['ann', 'cat', 'ben']);
  fireEvent.change(screen.getByLabelText('Second player'), { target: { value: 'cat' } });
  expect(screen.getByText(/^The probability that ann is better than cat is 99\.1 %/)).toBeTruthy();
  expect(document.querySelector('output')?.textContent).toBe('?by=raw&unit=bb&sort=rating&a=ann&b=cat');
});

it('shows the columns of all estimators and the rating behind one control', () => {
  show(standingsFixture());
  expect(columns()).toEqual(['Rank', 'Player', 'Adjusted points', 'Hands', 'Matches']);
  fireEvent.change(screen.getByLabelText('Estimator'), { target: { value: 'all' } });
  expect(columns()).toEqual(['Rank', 'Player', 'Raw', 'Adjusted points', 'Rating', 'Hands', 'Matches']);
});

it('opens with the choices of the address and says how many hands a tied pair still needs', () => {
  show(standingsFixture(), '?by=raw&a=cat&b=ben&sort=nonsense');
  expect(screen.getByLabelText<HTMLSelectElement>('Estimator').value).toBe('raw');
  expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('points');
  expect(screen.getByText(/ben is better than cat is 68\.0 %.*about 52,000 more hands\.$/)).toBeTruthy();
});

it('shows the progress of a computation, with the standings of before below it', () => {
  show(standingsFixture({ state: 'computing', players: [], progress: { matches: 120, of: 1716 } }));
  expect(screen.getByText(/120 of 1,716 matches are done/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  cleanup();
  show(standingsFixture({ state: 'computing', progress: { matches: 5, of: 6 } }));
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('5');
  expect(rows()).toHaveLength(3);
});

it('says why there are no standings', () => {
  show(standingsFixture({ state: 'empty', players: [], notes: ['No public match of this batch has finished.'] }));
  expect(screen.getByText('No standings yet')).toBeTruthy();
  expect(screen.getByText('No public match of this batch has finished.')).toBeTruthy();
});

it('shows one player alone without a comparison, and players with too few hands without points', () => {
  const [ben] = standingsFixture().players;
  if (ben === undefined) throw new Error('the fixture has no player');
  const none = { raw: null, adjusted: null, duplicate: null, duplicate_adjusted: null };
  const pairs = { estimator: 'raw' as const, usernames: ['ben'], better: [[null]], hands_needed: [[null]] };
  show(standingsFixture({ players: [{ ...ben, estimates: none, groups: none, rating: null }], pairs }));
  expect(rows()).toEqual(['—ben—6,0006']);
  expect(screen.getByText('One player alone cannot be compared with another one.')).toBeTruthy();
});

it('groups the bots by model with both intervals, the best model first', () => {
  const points = (mean: number) => ({ mean, hands_low: mean - 1, hands_high: mean + 1 });
  const model = (name: string, usernames: string[], mean: number, between: object) => {
    const own = { ...points(mean), ...between };
    const none = { raw: null, duplicate: null, duplicate_adjusted: null };
    return { name, version: null, usernames, estimates: { ...none, adjusted: { chips: own, bb: own } } };
  };
  const two = { bots_low: -40, bots_high: 50, between_bots: 2 };
  const one = { bots_low: null, bots_high: null, between_bots: null };
  const models = [model('weak', ['cat'], -7, one), model('strong', ['ann', 'ben'], 5, two)];
  show(standingsFixture({ models } as Partial<StandingsResponse>));
  const byModel = within(screen.getByRole('table', { name: /^Standings by model/ })).getAllByRole('row');
  expect(byModel.slice(1).map(({ textContent }) => textContent)).toEqual([
    'strong+5.0-40.0 to +50.0+4.0 to +6.0ann, ben',
    'weak-7.0—-8.0 to -6.0cat',
  ]);
});
