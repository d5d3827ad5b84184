// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { FairnessPage } from './fairness-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('says that the chain is broken, and how many matches were equal when they were played again', async () => {
  const check = {
    state: 'broken',
    problem: 'Record 4 of the chain was changed.',
    verified_number: 9,
    checked_at: null,
  };
  const responses: Readonly<Record<string, object>> = {
    '/live/commitments': { commitments: [], head: { number: 9, hash: 'a'.repeat(64) }, signed_head: null, check },
    '/live/signed-head': { signed_head: null, keys: [] },
    '/live/repetitions': { equal: 40, different: 2, different_by_limit: 1, not_compared: 3, pending: 4 },
  };
  vi.stubGlobal('fetch', async (url: string) => Response.json(responses[url.split('?')[0] ?? ''] ?? {}));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <FairnessPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The chain is broken: Record 4 of the chain was changed. No match gets a commitment until it is restored.',
  );
  expect(screen.queryByText(/has checked it up to record/)).toBeNull();
  expect(
    await screen.findByText(/Of 42 compared action by action, 40 were equal and 2 different [(]1 by a limit/),
  ).toBeTruthy();
});
