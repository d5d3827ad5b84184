// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Container } from '../../lib/types.ts';
import { LogViewer } from './log-viewer.tsx';

beforeEach(() => {
  // happy-dom has no layout; the virtual list needs a height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(352);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const containers = Array.from(
  { length: 1000 },
  (_, index): Container => ({
    container_name: `runner-${index}`,
    port: 20_000 + index,
    state: index < 3 ? 'active' : 'idle',
    job_id: null,
    sandbox: null,
  }),
);

function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(queryKeys.containers, containers);
  render(
    <QueryClientProvider client={client}>
      <LogViewer />
    </QueryClientProvider>,
  );
}

it('renders some rows of a thousand containers and offers the first 100; search and state find the others', () => {
  show();
  const select = screen.getByLabelText<HTMLSelectElement>('Container');
  expect(select.options.length).toBe(101);
  screen.getByText('997 idle, 3 active');
  expect(screen.getAllByRole('option', { name: /^runner-\d+ ?(idle|active)/ }).length).toBeLessThan(40);

  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'runner-789' } });
  expect(select.options.length).toBe(2);
  fireEvent.change(select, { target: { value: '20789' } });
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'active' } });
  screen.getByText('3 active');
  expect([...select.options].map(({ text }) => text)).toContain('runner-789 (port 20789, idle)');
  expect(select.value).toBe('20789');
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'stopping' } });
  screen.getByText('No container matches.');
});

it('moves in the list by keys, and Enter fetches the log', async () => {
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL) => {
    fetched.push(new URL(String(url), 'http://site').pathname);
    const body = {
      success: true,
      message: '',
      container_name: 'runner-999',
      port: 20_999,
      log_content: 'dealer | up\n',
    };
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
  show();
  const list = screen.getByRole('listbox', { name: 'Containers' });
  const current = () => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent;
  fireEvent.keyDown(list, { key: 'ArrowDown' });
  fireEvent.keyDown(list, { key: 'ArrowDown' });
  expect(current()).toMatch(/^runner-1active/);
  fireEvent.keyDown(list, { key: 'Home' });
  expect(current()).toMatch(/^runner-0/);
  fireEvent.keyDown(list, { key: 'End' });
  fireEvent.keyDown(list, { key: 'Enter' });
  await screen.findByText('1 lines');
  expect(fetched).toEqual(['/docker/game-log/20999']);
  expect(screen.getByLabelText<HTMLSelectElement>('Container').value).toBe('20999');
});
