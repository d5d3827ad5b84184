// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import type { PlayFigure } from '../../../lib/types.ts';
import { DecisionTimes, formatMs } from './decision-times.tsx';
import { PositionTable, StreetTable } from './figure-tables.tsx';
import { LuckOverTime } from './luck-over-time.tsx';
import {
  buildLineLayout,
  buildLines,
  figureOf,
  formatFigure,
  type PlayerPlay,
  STATISTICS,
  STREETS,
} from './play-figures.ts';
import { KeyFigures, refusalText } from './statistics.tsx';

afterEach(cleanup);

const figure = (statistic: string, count: number, of: number, scope: Partial<PlayFigure> = {}): PlayFigure => ({
  statistic,
  position: null,
  street: null,
  value: of === 0 ? null : count / of,
  count,
  of,
  ...scope,
});

const player = (username: string, figures: PlayFigure[]): PlayerPlay => ({
  username,
  hands: 1000,
  figures,
  decision_times: null,
  luck: { points: [0], raw: [0], adjusted: [0], pending_matches: 1 },
});

const ann = player('ann', [
  figure('vpip', 241, 1000),
  figure('vpip', 80, 200, { position: 'BTN' }),
  figure('vpip', 3, 7, { position: 'SB' }),
  figure('aggression_factor', 90, 60),
  figure('bet_size', 66, 100),
  figure('bet_size', 12, 30, { street: 'turn' }),
  figure('c_bet', 0, 0),
]);
const idle = player(
  'W'.repeat(32),
  STATISTICS.map(({ id }) => figure(id, 0, 0)),
);

it('shows every statistic with its meaning, and a dash with the number of opportunities where there are too few', () => {
  const { container } = render(<KeyFigures players={[ann, idle]} />);
  expect(container.querySelectorAll('dt')).toHaveLength(STATISTICS.length);
  expect(container.querySelectorAll('.play-meaning')).toHaveLength(STATISTICS.length);
  const [vpip] = container.querySelectorAll('.play-figure');
  expect(vpip?.textContent).toContain('ann24.1 %241 of 1,000 hands');
  expect(vpip?.textContent).toContain(`${'W'.repeat(32)}—no hands`);
  expect(container.textContent).toContain('1.5090 to 60 calls');
  expect(container.textContent).toContain('0.66 pots100 bets and raises');
  expect(container.textContent).not.toMatch(/NaN|Infinity|undefined|null/);
});

it('lists the positions that a bot has played, with the opportunities of each', () => {
  render(<PositionTable player={ann} />);
  const table = screen.getByRole('table', { name: 'ann by position' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Statistic', 'All', 'BTN', 'SB']);
  const row = within(table).getByRole('row', { name: /^VPIP/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['24.1 %1,000', '40.0 %200', '—7']);
});

it('says which statistics a street does not have', () => {
  render(<StreetTable player={ann} />);
  const row = screen.getByRole('row', { name: /^Bet size/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['not defined', 'not defined', '0.40 pots30', 'not defined']);
  expect(STREETS.map((street) => formatFigure(figureOf(ann, 'c_bet', { street }), 'share'))).toEqual(
    STREETS.map(() => '—'),
  );
});

it('shows the decision times in a sentence, and nothing if none are known', () => {
  const buckets = [
    { up_to_ms: 0.5, decisions: 75 },
    { up_to_ms: 1000, decisions: 20 },
    { up_to_ms: null, decisions: 5 },
  ];
  const timed = { ...ann, decision_times: { decisions: 100, p50_ms: 0.5, p95_ms: 1000, max_ms: 12_340, buckets } };
  const { container } = render(<DecisionTimes players={[timed, idle]} fileName="ann" />);
  const text = 'Half of the 100 decisions of ann took at most 0.5 ms, 95 % at most 1 s; the longest took 12.3 s.';
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`Decision times. ${text}`);
  expect(container.querySelectorAll('button')).toHaveLength(2);
  cleanup();
  expect(render(<DecisionTimes players={[idle]} fileName="idle" />).container.textContent).toBe('');
  expect([formatMs(0.2), formatMs(999), formatMs(60_000)]).toEqual(['0.2 ms', '999 ms', '60 s']);
});

it('shows how much of the chips was luck, and nothing before it is computed', () => {
  const lucky = {
    ...ann,
    luck: { points: [0, 1, 2], raw: [0, 900, -50], adjusted: [0, -20.5, 300.25], pending_matches: 3 },
  };
  const { container } = render(<LuckOverTime players={[lucky, idle]} fileName="ann" />);
  expect(
    screen.getByText('The result of ann over 2 matches is -50; without luck it is +300, so luck gave -350.'),
  ).toBeTruthy();
  expect(container.textContent).toContain('The luck of 3 matches is still being computed.');
  cleanup();
  expect(render(<LuckOverTime players={[idle]} fileName="idle" />).container.textContent).toBe('');
});

it('draws a line for each bot in its own style, and a title in pictures only', () => {
  const drawn = {
    title: 'Times',
    xTitle: 'x',
    yTitle: 'y',
    lines: [ann, idle].map(({ username: name }) => ({ name, x: [1], y: [2] })),
  };
  const options = { width: 390, height: 300, color: (token: string) => token };
  const colors = buildLines(drawn, options).map((line) => (line as { line: { color: string } }).line.color);
  expect(new Set(colors).size).toBe(2);
  expect('title' in buildLineLayout(drawn, options)).toBe(false);
  expect(buildLineLayout(drawn, { ...options, picture: true })).toMatchObject({ title: { text: 'Times' } });
});

it('names what the server did not find', () => {
  const refused = (status: number, reason: string, detail = '') =>
    refusalText(new ApiError({ status, reason, detail }), { batch: '77', versus: 'zoe' });
  expect(refused(404, 'batch-not-found')).toBe('There is no public batch 77.');
  expect(refused(404, 'no-such-user')).toBe('There is no player named zoe.');
  expect(refused(400, 'same-player', 'Choose another player to compare with.')).toBe(
    'Choose another player to compare with.',
  );
});
