// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refusal, renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { queryKeys } from '../lib/query-keys.ts';
import type { AdminJob, BotFaults } from '../lib/types.ts';
import { JobBadge, JobOutcome, JobState, JobTable } from './job-table.tsx';
import { getToasts } from './toasts.tsx';

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
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 10_000);
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
  await vi.waitFor(
    () => expect(getToasts().at(-1)?.text).toBe('Failed to delete job: This job is on a leaderboard.'),
    10_000,
  );
});

it('shows batch, players and why a match is stuck, and queues it again after a confirmation', async () => {
  const calls = stubApi(() => Response.json({}));
  const stuck = {
    ...job,
    batch_number: 3,
    game_number: 7,
    players: ['ann', 'ben'],
    stuck_reason: 'No hand for 20 minutes',
  };
  renderInApp(<JobTable caption="Jobs" jobs={[stuck]} />);
  expect(screen.getByRole('link', { name: 'Batch 3, match 7' }).getAttribute('href')).toBe('/batches/3');
  expect(screen.getByText('ann, ben')).toBeTruthy();
  press('Requeue job job 1');
  expect(screen.getByRole('dialog').textContent).toContain('No hand for 20 minutes. It is played from its first hand');
  press('Queue it again');
  await vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe('Match queued again.'), 10_000);
  expect(calls).toEqual(['POST /admin/requeue-job/job%201']);
});

it('has neither links nor delete buttons for jobs that are not matches', () => {
  show(true);
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Copy job ID']);
});

afterEach(cleanup);

const faults: BotFaults = {
  by_kind: { timeout: 2 },
  decisions: 9,
  failed: 2,
  failed_calls: 0,
  first: { kind: 'timeout', hand: 4, step: 7, game_id: 'g 4', text: null },
  never_started: false,
  stopped_by: null,
  summary: 'did not respond in time in 2 of 9 decisions',
};
const textOf = (component: React.ReactNode) => renderInApp(component).container.textContent;

it('shows the place in the queue while a job waits, and the progress while it runs', () => {
  expect(textOf(<JobState status="Pending" progress={{ queue_position: 3 }} />)).toBe('PendingNumber 3 in the queue');
  expect(textOf(<JobState status="Running" progress={{ hands_done: 400, num_rounds: 1000 }} />)).toBe(
    'Running400 of 1000 hands',
  );
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('400');
  expect(textOf(<JobState status="Finished" progress={{ hands_done: 1000, num_rounds: 1000 }} />)).toBe('Finished');
});

it('marks a finished job without a contest, or with faults of the own bot', () => {
  expect(textOf(<JobBadge status="Finished" no_contest />)).toBe('No contest');
  expect(textOf(<JobBadge status="Finished" own="ann" faults={{ ann: faults }} />)).toBe('Finished with faults');
  expect(textOf(<JobBadge status="Finished" own="ben" faults={{ ann: faults }} />)).toBe('Finished');
  expect(textOf(<JobBadge status="Running" own="ann" faults={{ ann: faults }} />)).toBe('Running');
});

it('shows the results of a job, best first, with the faults of the other bots and a link to the first one', () => {
  const results = { ann: -20, ben: 20 };
  renderInApp(<JobOutcome status="Finished" error={null} results={results} own="ben" faults={{ ann: faults }} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['ben +20', 'ann -20']);
  expect(screen.getByText(/^ann did not respond in time in 2 of 9 decisions/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'First such hand (#4)' }).getAttribute('href')).toBe('/replay/g%204?step=7');
});

it('names a bot that never started, and a match without a contest, instead of the money', () => {
  const stopped = { ...faults, never_started: true, summary: '' };
  const outcome = (found: object) => <JobOutcome status="Finished" error={null} results={{ ann: -20 }} {...found} />;
  expect(textOf(outcome({ faults: { ann: stopped } }))).toBe('ann never started');
  expect(textOf(outcome({ no_contest: true }))).toBe('ann no contest');
});

it('shows why a job failed, and a dash while it has no results', () => {
  expect(textOf(<JobOutcome status="Failed" error="The lease expired." results={null} />)).toBe('The lease expired.');
  expect(textOf(<JobOutcome status="Failed" error={null} results={null} />)).toBe('Unknown error');
  expect(textOf(<JobOutcome status="Running" error={null} results={null} />)).toBe('—');
});
