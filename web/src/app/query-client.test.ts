import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../lib/api.ts';
import { queryClient, retry } from './query-client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

it('a query without a response fails after the timeout of one call', async () => {
  const fake = vi.fn(
    (_url: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      ),
  );
  vi.stubGlobal('fetch', fake);
  const observer = new QueryObserver(queryClient, {
    queryKey: ['never'],
    queryFn: () => api.get('/profile', { timeoutMs: 5 }),
  });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().failureCount).toBe(1), 10_000);
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' });
  expect(fake).toHaveBeenCalledOnce();
  stop();
});

it('a query that fails quickly is retried twice; one that exceeded a deadline is not retried', async () => {
  const failureWith = async (status: number) => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status }));
    return api.get('/profile').catch((error: unknown) => error);
  };
  expect(retry(1, await failureWith(503))).toBe(true);
  expect(retry(2, await failureWith(503))).toBe(false);
  expect(retry(0, await failureWith(504))).toBe(false);
  expect(retry(0, await failureWith(500))).toBe(false);
});
