// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Container } from '../../lib/types.ts';
import { LogViewer } from './log-viewer.tsx';

afterEach(cleanup);

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

it('offers the first 100 of a thousand containers and finds the others by search', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(queryKeys.containers, containers);
  render(
    <QueryClientProvider client={client}>
      <LogViewer />
    </QueryClientProvider>,
  );
  const select = screen.getByLabelText<HTMLSelectElement>('Container');
  expect(select.options.length).toBe(101);
  expect(screen.getByText('997 idle, 3 active. The first 100 are offered.')).toBeTruthy();

  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'runner-789' } });
  expect(select.options.length).toBe(2);
  fireEvent.change(select, { target: { value: '20789' } });
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'active' } });
  expect([...select.options].map(({ text }) => text)).toContain('runner-789 (port 20789, idle)');
  expect(select.value).toBe('20789');
});
