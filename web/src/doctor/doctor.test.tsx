// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { queryKeys } from '../lib/query-keys.ts';
import type { BotCode, BotReport } from '../lib/types.ts';
import { Doctor } from './doctor.tsx';
import { group, report } from './report-fixture.ts';

afterEach(cleanup);

const broken = report({
  fault_groups: 1,
  faults: [group('KeyError: 3 (line 2)', 9, 4)],
  worst_hand: { hand: 7, game_id: 'game-7', delta: -1200 },
});
const version = (player_file: string) => ({
  bot_hash: 'f',
  first_used_at: '2026-11-01T10:00:00Z',
  player_file,
  requirements_file: '',
});
const code = (more: Partial<BotCode> = {}): BotCode => ({
  job_id: 'job',
  username: 'ann',
  version: version('# née ♠\r\nraise KeyError(3)\r\n'),
  previous: null,
  ...more,
});

function show(shown: BotReport, found: BotCode | null): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (found === null) {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ detail: 'x', reason: 'x' }, { status: 404 })));
  } else {
    client.setQueryData<BotCode>(queryKeys.botCode('job', 'ann'), found);
  }
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Doctor report={shown} onRunAgain={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

it('shows the sentence, the failing line, the first faulty step and the hand that lost most', () => {
  show(broken, code());
  expect(screen.getByText('9 of 9 decisions failed: KeyError 3, line 2.')).toBeTruthy();
  expect(screen.getByText('raise KeyError(3)').tagName).toBe('MARK');
  const link = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
  expect(link(/^First faulty step/)).toBe('/replay/game-4?step=5');
  expect(link(/^Hand that lost most \(#7, -1,200\)/)).toBe('/replay/game-7');
  expect(screen.getByText('No earlier version of this bot is stored to compare with.')).toBeTruthy();
});

it('keeps the sentence and the links when the files are not stored any more', async () => {
  show(broken, null);
  expect(await screen.findByText(/^The files of this version are not stored any more/)).toBeTruthy();
  expect(screen.getByText('9 of 9 decisions failed: KeyError 3, line 2.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Run again/ })).toBeNull();
  vi.unstubAllGlobals();
});

it('shows no code for a line that the file does not have, and five of twenty reasons', () => {
  const faults = Array.from({ length: 20 }, (_, n) => group(`Error${n}: x (line ${n + 900})`, 20 - n, n + 1));
  show({ ...broken, decisions: 210, faults }, code());
  expect(screen.queryByRole('figure')).toBeNull();
  expect(screen.getAllByRole('listitem')).toHaveLength(6);
  expect(screen.getByText('15 more below.')).toBeTruthy();
});

it('says of a bot without faults that no decision failed, and links no faulty step', () => {
  show({ ...broken, faults: [], worst_hand: null }, code({ previous: version('pass') }));
  expect(screen.getByText('No decision failed (9 made).')).toBeTruthy();
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.getByText(/^Changes since the version of/)).toBeTruthy();
});

it('offers the commands that repeat the first faulty hand at home', async () => {
  show(broken, code());
  expect(await screen.findByText('husky download job')).toBeTruthy();
  expect(screen.getByText('husky replay match-job.jsonl --hand 4')).toBeTruthy();
  expect(screen.getByText('husky debug player.py --match match-job.jsonl --hand 4')).toBeTruthy();
});

it('offers no commands for a match without faults', async () => {
  show({ ...broken, faults: [] }, code());
  expect(await screen.findByText(/Hand that lost most/)).toBeTruthy();
  expect(screen.queryByText(/husky debug/)).toBeNull();
});
