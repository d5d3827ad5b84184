// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refusal, renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { getToasts } from './toasts.tsx';
import { Tournament2025Button } from './tournament-2025-button.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (added: boolean, allowed = true) =>
  renderInApp(
    <Tournament2025Button job={{ job_id: 'j', tournaments_2025_added: added, tournaments_2025_allowed: allowed }} />,
  );
const expectToast = (text: string) => vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe(text), 10_000);

it.each([
  [false, 'Add to 2025, job j', 'POST /admin/process-tournament-2025-job/j', 'Job added to the 2025 leaderboard.'],
  [
    true,
    'Remove from 2025, job j',
    'POST /admin/delete-tournament-2025-job/j',
    'Job removed from the 2025 leaderboard.',
  ],
])('changes the leaderboard for a job (added: %s)', async (added, name, call, text) => {
  const calls = stubApi(() => Response.json({}));
  show(added);
  fireEvent.click(screen.getByRole('button', { name }));
  await expectToast(text);
  expect(calls).toEqual([call]);
});

it("shows the server's reason of a refusal", async () => {
  stubApi(() => refusal(409, 'Another admin was faster.'));
  show(true);
  fireEvent.click(screen.getByRole('button'));
  await expectToast('Failed to remove job from 2025 leaderboard. Another admin was faster.');
});

it('is a dash for a job that cannot count, but still offers to remove one that was added', () => {
  expect(show(false, false).container.textContent).toBe('—');
  expect(show(true, false).container.textContent).toBe('Remove from 2025');
});
