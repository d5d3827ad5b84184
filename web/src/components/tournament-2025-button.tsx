import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { detailOf } from '../lib/api-error.ts';
import { invalidateScores } from '../lib/query-keys.ts';
import { Button } from './button.tsx';
import { toast } from './toasts.tsx';

type Props = {
  job: {
    job_id: string;
    /** Absent: unknown. */
    tournaments_2025_added?: boolean;
    /** Whether the server accepts it: a finished match between different users. Absent: the server decides. */
    tournaments_2025_allowed?: boolean;
  };
};

/** Adds a job to the 2025 leaderboard or removes it; a dash for a job that cannot count there, or whose state is unknown. */
export function Tournament2025Button({ job }: Props) {
  const { job_id: jobId, tournaments_2025_added: added, tournaments_2025_allowed: allowed } = job;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => {
      const path = added ? '/admin/delete-tournament-2025-job/{job_id}' : '/admin/process-tournament-2025-job/{job_id}';
      return api.post(path, { params: { job_id: jobId } });
    },
    onSuccess: () =>
      toast.success(added ? 'Job removed from the 2025 leaderboard.' : 'Job added to the 2025 leaderboard.'),
    onError: (error) => {
      const text = added
        ? 'Failed to remove job from 2025 leaderboard.'
        : 'Failed to process job for 2025 leaderboard.';
      toast.error(`${text} ${detailOf(error, '')}`.trim());
    },
    onSettled: () => invalidateScores(client),
  });

  const label = added ? 'Remove from 2025' : 'Add to 2025';
  if (added === undefined || (!added && allowed === false)) return <span className="muted">—</span>;
  return (
    <Button
      variant={added ? 'danger' : 'secondary'}
      small
      disabled={change.isPending}
      aria-label={`${label}, job ${jobId}`}
      onClick={() => change.mutate()}
    >
      {label}
    </Button>
  );
}
