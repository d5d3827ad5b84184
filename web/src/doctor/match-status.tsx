import { useQuery } from '@tanstack/react-query';
import { isOpenJob } from '../components/job-cells.tsx';
import { api } from '../lib/api.ts';
import { POLL_TEST_RUN_MS } from '../lib/polling.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { JobResponse } from '../lib/types.ts';

/** Queries the status of a match until it has ended. */
export function useMatchStatus(jobId: string) {
  return useQuery({
    queryKey: [...queryKeys.job(jobId), 'status'],
    queryFn: ({ signal }) => api.get('/sim/status/{id}', { params: { id: jobId }, signal }),
    refetchInterval: ({ state }) => (state.data && !isOpenJob(state.data.job_status) ? false : POLL_TEST_RUN_MS),
  });
}

/** Says why a match failed. */
export function FailedMatch({ status }: { status: JobResponse }) {
  return (
    <p className="negative breakable">
      The match failed{status.hands_done === 0 && ' before the first hand'}
      {status.error ? `: ${status.error}` : '.'}
    </p>
  );
}
