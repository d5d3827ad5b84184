// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import type { JobResponse } from '../../lib/types.ts';
import { randomnessText } from './commitment-panel.tsx';
import { RotationsNote } from './job-page.tsx';

afterEach(cleanup);

const status = (change: Partial<JobResponse>) =>
  ({ job_id: 'b', rotation: 2, rotations: [], ...change }) as JobResponse;
const show = (change: Partial<JobResponse>) =>
  render(
    <MemoryRouter>
      <RotationsNote status={status(change)} />
    </MemoryRouter>,
  );

it('links the other matches of the deal set with the state of those that are not finished', () => {
  show({
    rotations: [
      { rotation: 1, job_id: 'a', job_status: 'Finished' },
      { rotation: 2, job_id: 'b', job_status: 'Running' },
      { rotation: 3, job_id: 'c', job_status: 'Pending' },
    ],
  });
  expect(screen.getByText(/rotation 2 of 6/)).toBeTruthy();
  const links = screen.getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Rotation 1', '/games/a'],
    ['Rotation 3 (pending)', '/games/c'],
  ]);
});

it('shows only the rotation to readers of this match alone, and nothing for a classic match', () => {
  show({ rotations: [{ rotation: 2, job_id: 'b', job_status: 'Finished' }] });
  expect(screen.queryAllByRole('link')).toEqual([]);
  cleanup();
  const { container } = show({ rotation: null });
  expect(container.textContent).toBe('');
});

it('says what beside the seed the cards depend on', () => {
  const seat = (nonce?: string) => ({ userId: 'u', botHash: 'b', packagesHash: '', ...(nonce && { nonce }) });
  const seeds = { list: 1, number: 5 };
  const beacon = { chain: 'c', round: 4711, signature: 's' };
  expect(
    [
      { roster: [seat('n')] },
      { seeds, roster: [seat(), seat()] },
      { seeds, roster: [seat('n'), seat('n'), seat()], beacon },
    ].map(randomnessText),
  ).toEqual([
    'none: that nobody chose the seed is not proven',
    'the nonces of 0 uploads, no public beacon',
    'the nonce of 1 upload, round 4,711 of the public beacon',
  ]);
});
