import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Batch } from '../../lib/types.ts';

// The largest batch, 38,760 jobs, takes the server up to a minute.
const WHOLE_BATCH_MS = 65_000;

type Action = { method?: 'delete'; path: string; body?: unknown; done: string; failed: string };

function send({ method, path, body }: Action): Promise<{ message?: string }> {
  const options = { timeoutMs: WHOLE_BATCH_MS };
  return method === 'delete' ? api.delete(path, options) : api.post(path, body, options);
}

function useBatchAction(onSettled: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, action) => toast.success(answer?.message ?? action.done),
    onError: (error, action) => toast.error(`${action.failed} ${messageOf(error)}`),
    onSettled: () => {
      onSettled();
      return Promise.all([
        client.invalidateQueries({ queryKey: ['llm'] }),
        client.invalidateQueries({ queryKey: queryKeys.leaderboard }),
      ]);
    },
  });
}

/** What an admin can do with a batch; each button is open only where the server would take it. */
export function BatchActions({ batch, allAdded }: { batch: Batch; allAdded: boolean }) {
  const [deleting, setDeleting] = useState(false);
  const action = useBatchAction(() => setDeleting(false));
  const busy = action.isPending;
  const id = encodeURIComponent(batch.batch_id);
  const { PENDING, RUNNING, FAILED } = batch.job_statuses;
  const open = PENDING + RUNNING > 0 || ['Preparing', 'Generating'].includes(batch.state);

  return (
    <div className="cluster">
      <Button
        small
        disabled={busy || allAdded}
        onClick={() =>
          action.mutate({
            path: `/llm/process-batch/${id}`,
            done: 'Batch added to the leaderboard.',
            failed: 'Failed to add to leaderboard:',
          })
        }
      >
        Add to Leaderboard
      </Button>
      <Button
        small
        variant="secondary"
        disabled={busy || !batch.on_leaderboard}
        onClick={() =>
          action.mutate({
            path: `/llm/delete-batch-leaderboard/${id}`,
            done: 'Batch removed from the leaderboard.',
            failed: 'Failed to remove from leaderboard:',
          })
        }
      >
        Remove
      </Button>
      {open && <RunControls batch={batch} busy={busy} onAction={action.mutate} />}
      {FAILED > 0 && (
        <Button
          small
          variant="secondary"
          disabled={busy}
          onClick={() =>
            action.mutate({
              path: `/llm/batch/${id}/retry`,
              done: 'Failed jobs queued again.',
              failed: 'Failed to retry batch:',
            })
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
          action.mutate({
            path: `/llm/batch/${id}/public`,
            body: { public: !batch.is_public },
            done: batch.is_public ? 'The batch is private now.' : 'The batch is public now.',
            failed: 'Failed to toggle public status. Please try again.',
          })
        }
      >
        {batch.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC'}
      </Button>
      <Button small variant="danger" disabled={busy || batch.on_leaderboard} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={deleting}
        title="Delete batch"
        confirmLabel="Delete batch"
        busy={busy}
        onConfirm={() =>
          action.mutate({
            method: 'delete',
            path: `/llm/batch/${id}`,
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

type RunProps = { batch: Batch; busy: boolean; onAction: (action: Action) => void };

function RunControls({ batch, busy, onAction }: RunProps) {
  const path = `/llm/batch/${encodeURIComponent(batch.batch_id)}`;
  const turn: Action = batch.paused
    ? { path: `${path}/resume`, done: 'Batch resumed.', failed: 'Failed to resume batch:' }
    : { path: `${path}/pause`, done: 'Batch paused.', failed: 'Failed to pause batch:' };
  return (
    <>
      <Button small variant="secondary" disabled={busy} onClick={() => onAction(turn)}>
        {batch.paused ? 'Resume' : 'Pause'}
      </Button>
      <Button
        small
        variant="secondary"
        disabled={busy}
        onClick={() =>
          onAction({ path: `${path}/cancel`, done: 'Batch cancelled.', failed: 'Failed to cancel batch:' })
        }
      >
        Cancel
      </Button>
    </>
  );
}
