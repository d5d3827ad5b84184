import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { invalidateJobs } from '../lib/stale-lists.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { isOpenJob } from './job-cells.tsx';
import { toast } from './toast-store.ts';

export type JobToDelete = { jobId: string; status: string; name?: string };

/** Deletes jobs after a confirmation: `ask` opens the dialog, which the page must render. */
export function useJobDeletion() {
  const client = useQueryClient();
  const [toDelete, setToDelete] = useState<JobToDelete | null>(null);
  const removal = useMutation({
    mutationFn: ({ jobId }: JobToDelete) => api.delete('/sim/job/{id}', { params: { id: jobId } }),
    onSuccess: () => toast.success('Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setToDelete(null);
      return invalidateJobs(client);
    },
  });
  const dialog = (
    <ConfirmDialog
      open={toDelete !== null}
      title="Delete job"
      confirmLabel="Delete job"
      busy={removal.isPending}
      onConfirm={() => toDelete && removal.mutate(toDelete)}
      onCancel={() => setToDelete(null)}
    >
      <p>
        Are you sure you want to delete this job?{' '}
        {toDelete && isOpenJob(toDelete.status) && 'It has not ended yet and will be stopped. '}
        Its hands and results are deleted too.
      </p>
      <p className="muted">{[toDelete?.name, toDelete?.jobId].filter(Boolean).join(', ')}</p>
    </ConfirmDialog>
  );
  return { ask: setToDelete, dialog };
}
