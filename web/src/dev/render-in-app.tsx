// Set-up of component tests; vitest loads it before each test file of the web.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { vi } from 'vitest';

// The default of 1 s is too short on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** Renders a component inside a router and a query client without retries. */
export function renderInApp(component: ReactNode, path = '/') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrap = (children: ReactNode) => (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
    </QueryClientProvider>
  );
  const { container, rerender } = render(wrap(component));
  return { client, container, rerender: (next: ReactNode) => rerender(wrap(next)) };
}

/** Replaces the network. Returns the calls made, such as 'DELETE /sim/job/j'. `respond` gets each of them. */
export function stubApi(respond: (call: string) => Response): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const call = `${method} ${url}`;
    calls.push(call);
    return respond(call);
  });
  return calls;
}

/** Returns a response that refuses a call with a status and a detail. */
export const refusal = (status: number, detail: string): Response => Response.json({ detail }, { status });
