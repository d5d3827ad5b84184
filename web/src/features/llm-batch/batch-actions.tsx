import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Batch } from '../../lib/types.ts';

type Action = { run: () => Promise<unknown>; done: string; failed: string };

/** What an admin can do with a batch; each button is open only where the server would take it. */
export function BatchActions({ batch, added }: { batch: Batch; added: boolean | null }) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const action = useMutation({
    mutationFn: (wanted: Action) => wanted.run(),
    onSuccess: (_answer, wanted) => toast.success(wanted.done),
    onError: (error, wanted) => toast.error(`${wanted.failed} ${messageOf(error)}`),
    onSettled: () => {
      setDeleting(false);
      return Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.batches }),
        client.invalidateQueries({ queryKey: queryKeys.batchArena(batch.batch_id) }),
        client.invalidateQueries({ queryKey: queryKeys.leaderboard }),
      ]);
    },
  });

  const id = encodeURIComponent(batch.batch_id);
  const post = (path: string, done: string, failed: string): Action => ({ run: () => api.post(path), done, failed });
  const busy = action.isPending;
  const open = (batch.job_statuses.PENDING ?? 0) + (batch.job_statuses.RUNNING ?? 0) > 0;
  const failures = (batch.job_statuses.FAILED ?? 0) > 0;

  return (
    <div className="cluster">
      <Button
        small
        disabled={busy || added !== false}
        onClick={() =>
          action.mutate(
            post(`/llm/process-batch/${id}`, 'Batch added to the leaderboard.', 'Failed to add to leaderboard:'),
          )
        }
      >
        Add to Leaderboard
      </Button>
      <Button
        small
        variant="secondary"
        disabled={busy || added !== true}
        onClick={() =>
          action.mutate(
            post(
              `/llm/delete-batch-leaderboard/${id}`,
              'Batch removed from the leaderboard.',
              'Failed to remove from leaderboard:',
            ),
          )
        }
      >
        Remove
      </Button>
      {open && (
        <Button
          small
          variant="secondary"
          disabled={busy}
          onClick={() =>
            action.mutate(
              batch.paused
                ? post(`/llm/batch/${id}/resume`, 'Batch resumed.', 'Failed to resume batch:')
                : post(`/llm/batch/${id}/pause`, 'Batch paused.', 'Failed to pause batch:'),
            )
          }
        >
          {batch.paused ? 'Resume' : 'Pause'}
        </Button>
      )}
      {open && (
        <Button
          small
          variant="secondary"
          disabled={busy}
          onClick={() => action.mutate(post(`/llm/batch/${id}/cancel`, 'Batch cancelled.', 'Failed to cancel batch:'))}
        >
          Cancel
        </Button>
      )}
      {failures && (
        <Button
          small
          variant="secondary"
          disabled={busy}
          onClick={() =>
            action.mutate(post(`/llm/batch/${id}/retry`, 'Failed jobs queued again.', 'Failed to retry batch:'))
          }
        >
          Retry failed jobs
        </Button>
      )}
      <Button
        small
        variant="secondary"
        disabled={busy}
        onClick={() =>
          action.mutate(
            post(`/llm/batch/${id}/public`, 'Visibility changed.', 'Failed to toggle public status. Please try again.'),
          )
        }
      >
        {batch.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC'}
      </Button>
      <Button small variant="danger" disabled={busy || added === true} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={deleting}
        title="Delete batch"
        confirmLabel="Delete batch"
        busy={busy}
        onConfirm={() =>
          action.mutate({
            run: () => api.delete(`/llm/batch/${id}`),
            done: 'Batch deleted.',
            failed: 'Failed to delete batch:',
          })
        }
        onCancel={() => setDeleting(false)}
      >
        <p>Are you sure you want to delete this batch and all related jobs?</p>
      </ConfirmDialog>
    </div>
  );
}
