import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { invalidateJobs } from '../lib/query-keys.ts';
import { ConfirmDialog } from './dialog.tsx';
import { toast } from './toasts.tsx';

type StuckJob = { jobId: string; reason: string };

/** Queues stuck matches again after a confirmation: `ask` opens the dialog, which the page must render. */
export function useJobRequeue() {
  const client = useQueryClient();
  const [stuck, setStuck] = useState<StuckJob | null>(null);
  const requeue = useMutation({
    mutationFn: ({ jobId }: StuckJob) => api.post('/admin/requeue-job/{job_id}', { params: { job_id: jobId } }),
    onSuccess: () => toast.success('Match queued again.'),
    onError: (error) => toast.error(`Failed to requeue the match: ${messageOf(error)}`),
    onSettled: () => {
      setStuck(null);
      return invalidateJobs(client);
    },
  });
  const dialog = (
    <ConfirmDialog
      open={stuck !== null}
      title="Queue the match again?"
      confirmLabel="Queue it again"
      busy={requeue.isPending}
      onConfirm={() => stuck && requeue.mutate(stuck)}
      onCancel={() => setStuck(null)}
    >
      <p>
        {stuck?.reason}. It is played from its first hand, with the same cards and bots. What its runner has played
        until now does not count.
      </p>
      <p className="muted breakable">{stuck?.jobId}</p>
    </ConfirmDialog>
  );
  return { ask: setStuck, dialog };
}
