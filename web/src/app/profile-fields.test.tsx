// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { DirectoryPage } from '../features/directory/directory-page.tsx';
import { ProfilePage } from '../features/profile/profile-page.tsx';
import type { RequestOf } from '../lib/api.ts';

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
