// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { Kit } from '../../lib/types.ts';
import { KitPage } from './kit-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const url = 'http://site.test/kit/husky_holdem-1.2.3-py3-none-any.whl';
const kit: Kit = {
  version: '1.2.3',
  rules_version: 1,
  protocol_version: 1,
  file: 'husky_holdem-1.2.3-py3-none-any.whl',
  url,
  sha256: 'a'.repeat(64),
  size: 123_456,
  requires_python: '>=3.10',
  install: `pip install ${url}`,
  install_uv: `uv tool install ${url}`,
};

function show(response: Response): void {
  vi.stubGlobal('fetch', async () => response);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retryDelay: 1 } } })}>
      <MemoryRouter>
        <KitPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

it('shows versions, checksum and the commands that install the kit', async () => {
  show(Response.json(kit));
  expect(await screen.findByText(`pip install ${url}`)).toBeTruthy();
  expect(screen.getByText(`uv tool install ${url}`)).toBeTruthy();
  expect(screen.getByText('1.2.3')).toBeTruthy();
  expect(screen.getByText('a'.repeat(64))).toBeTruthy();
  expect(screen.getByText('husky verify match.jsonl')).toBeTruthy();
});

it('says why a site offers no kit', async () => {
  show(Response.json({ detail: 'This site offers no local kit.', reason: 'no-kit' }, { status: 404 }));
  expect(await screen.findByText(/This site offers no local kit/)).toBeTruthy();
  expect(screen.queryByText('Install')).toBeNull();
});
