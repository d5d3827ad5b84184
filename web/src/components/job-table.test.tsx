// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refusal, renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { queryKeys } from '../lib/query-keys.ts';
import type { AdminJob } from '../lib/types.ts';
import { JobTable } from './job-table.tsx';
import { getToasts } from './toast-store.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const job = { job_id: 'job 1', job_status: 'Running', status: 'Running', username: 'ann' } as AdminJob;
const show = (plain = false) => renderInApp(<JobTable caption="Jobs" jobs={[job]} plain={plain} />);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('deletes a job after a confirmation that names it, and refreshes the lists of jobs', async () => {
  const calls = stubApi(() => Response.json({}));
  const { client } = show();
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  press('Delete job job 1');
  expect(screen.getByRole('dialog').textContent).toContain('It has not ended yet and will be stopped.');
  expect(screen.getByRole('dialog').textContent).toContain('job 1');
  expect(calls).toEqual([]);
  press('Delete job');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual(['DELETE /sim/job/job%201']);
  expect(invalidate).toHaveBeenCalledWith({ queryKey: queryKeys.ownJobs });
  expect(getToasts().at(-1)?.text).toBe('Job deleted.');
});

it('keeps a job whose deletion is cancelled, and shows why the server refuses one', async () => {
  const calls = stubApi(() => refusal(409, 'This job is on a leaderboard.'));
  show();
  press('Delete job job 1');
  press('Cancel');
  expect(calls).toEqual([]);
  press('Delete job job 1');
  press('Delete job');
  await vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe('Failed to delete job: This job is on a leaderboard.'));
});

it('has neither links nor delete buttons for jobs that are not matches', () => {
  show(true);
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Copy job ID']);
});
