// @vitest-environment happy-dom

import { QueryObserver } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { DirectoryPage } from '../features/directory/directory-page.tsx';
import { ProfilePage } from '../features/profile/profile-page.tsx';
import { api, type RequestOf } from '../lib/api.ts';
import { queryClient, retry } from './query-client.ts';

describe('profile fields', () => {
  // A field that the server takes and that is missing here does not compile.
  const fields = {
    name: 'Ann Example',
    github: 'ann-gh',
    discord_username: 'ann.discord',
    about: 'Writes bots.',
  } satisfies Record<keyof RequestOf<'post', '/user/update'>['body'], string>;
  const person = { username: 'ann', ...fields };

  const responses: Readonly<Record<string, unknown>> = {
    '/profile/ann': { profile: person, leaderboard_entries: [], leaderboard_entries_count: 0 },
    '/user/all': { users: [person], total: 1, page: 1, total_pages: 1 },
  };

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each([
    ['/profile/ann', '/profile/:username', ProfilePage],
    ['/directory', '/directory', DirectoryPage],
  ])('%s shows each field of a profile', async (path, pattern, Page) => {
    vi.stubGlobal('fetch', async (url: string) => {
      const found = responses[url.split('?')[0] ?? ''];
      return found ? Response.json(found) : Response.json({ detail: 'Not found' }, { status: 404 });
    });
    const { container } = renderInApp(
      <Routes>
        <Route path={pattern} element={<Page />} />
      </Routes>,
      path,
    );
    await vi.waitFor(() => expect(container.textContent).toContain(fields.name), 5_000);
    for (const [field, value] of Object.entries(fields)) expect(container.textContent, field).toContain(value);
  });
});

describe('query client', () => {
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
});
