import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { isFinishedJob } from '../../components/job-cells.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, detailOf } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminJob } from '../../lib/types.ts';

/** Adds a finished job to the 2025 leaderboard or takes it back; a dash where its state is not known. */
export function Tournament2025Cell({ job }: { job: AdminJob }) {
  const client = useQueryClient();
  const added = job.tournaments_2025_added;
  const change = useMutation({
    mutationFn: () => {
      const action = added ? 'delete-tournament-2025-job' : 'process-tournament-2025-job';
      return api.post(`/admin/${action}/${encodeURIComponent(job.job_id)}`);
    },
    onSuccess: () =>
      toast.success(added ? 'Job removed from the 2025 leaderboard.' : 'Job added to the 2025 leaderboard.'),
    onError: (error) => {
      const text = added
        ? 'Failed to remove job from 2025 leaderboard.'
        : 'Failed to process job for 2025 leaderboard.';
      toast.error(`${text} ${detailOf(error, '')}`.trim());
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.adminJobs }),
  });

  const known = typeof added === 'boolean' && (added || isFinishedJob(job.status ?? job.job_status));
  if (!known) return <span className="muted">—</span>;
  return (
    <Button variant={added ? 'danger' : 'secondary'} small disabled={change.isPending} onClick={() => change.mutate()}>
      {added ? 'Remove from 2025' : 'Add to 2025'}
      <span className="visually-hidden">, job {job.job_id}</span>
    </Button>
  );
}
