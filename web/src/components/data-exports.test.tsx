// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryKeys } from '../lib/query-keys.ts';
import type { AppConfig, DataExport } from '../lib/types.ts';
import { DataExports } from './data-exports.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const base: DataExport = {
  id: 'e1',
  batch_number: 3,
  period: null,
  state: 'ready',
  problem: null,
  matches: 2,
  matches_done: 2,
  hands: 2000,
  bytes: 1_500_000,
  created_at: '2026-11-22T10:00:00Z',
  ended_at: '2026-11-22T10:01:00Z',
  expires_at: null,
};

const config: AppConfig = {
  identity: 'own',
  links: {},
  data_license: { name: 'CC0-1.0', text: 'https://spdx.org/licenses/CC0-1.0.html' },
};

function show(exports: DataExport[]) {
  vi.stubGlobal('fetch', async (url: string) => Response.json(url.endsWith('app-config.json') ? config : { exports }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(queryKeys.appConfig, config);
  render(
    <QueryClientProvider client={client}>
      <DataExports of={{ batch: 3 }} />
    </QueryClientProvider>,
  );
}

it('offers a ready export, and a start to visitors', async () => {
  show([base, { ...base, id: 'e0', state: 'dropped', problem: 'A match of this export was deleted.' }]);
  expect((await screen.findByRole('button', { name: /Download/ })).textContent).toContain('1.4 MiB');
  expect(screen.getByText(/2 matches, 2,000 hands/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'CC0-1.0' }).getAttribute('href')).toBe(
    'https://spdx.org/licenses/CC0-1.0.html',
  );
  expect(screen.queryByText(/was deleted/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy();
});

it('shows progress, and why the newest export ended', async () => {
  show([{ ...base, state: 'running', matches_done: 1 }]);
  expect((await screen.findByLabelText('Matches written')).getAttribute('max')).toBe('2');
  cleanup();
  show([{ ...base, state: 'failed', problem: 'There was no space left to store the export.' }]);
  expect(await screen.findByText('There was no space left to store the export.')).toBeTruthy();
});
