import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { jobsChanged } from '../lib/stale-lists.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { isOpenJob } from './job-cells.tsx';
import { toast } from './toast-store.ts';

export type DoomedJob = { jobId: string; status: string; name?: string };

/** Asks before a job is deleted: `ask` opens the dialog, which belongs into the page. */
export function useJobDeletion() {
  const client = useQueryClient();
  const [doomed, setDoomed] = useState<DoomedJob | null>(null);
  const removal = useMutation({
    mutationFn: ({ jobId }: DoomedJob) => api.delete('/sim/job/{id}', { params: { id: jobId } }),
    onSuccess: () => toast.success('Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setDoomed(null);
      return jobsChanged(client);
    },
  });
  const dialog = (
    <ConfirmDialog
      open={doomed !== null}
      title="Delete job"
      confirmLabel="Delete job"
      busy={removal.isPending}
      onConfirm={() => doomed && removal.mutate(doomed)}
      onCancel={() => setDoomed(null)}
    >
      <p>
        Are you sure you want to delete this job?{' '}
        {doomed && isOpenJob(doomed.status) && 'It has not ended yet and will be stopped. '}
        Its hands and results go with it.
      </p>
      <p className="muted">{[doomed?.name, doomed?.jobId].filter(Boolean).join(', ')}</p>
    </ConfirmDialog>
  );
  return { ask: setDoomed, dialog };
}
