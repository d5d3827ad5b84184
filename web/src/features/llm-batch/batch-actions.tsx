import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { invalidateJobs, invalidateScores } from '../../lib/stale-lists.ts';
import type { Batch } from '../../lib/types.ts';

// The largest batch, 38,760 jobs, takes the server up to a minute.
const TIMEOUT_MS = 65_000;

/** A button of a batch: its call, its confirmation and its result texts. */
type BatchAction = {
  label: string;
  send: () => Promise<{ message: string } | object>;
  disabled?: boolean;
  look?: 'primary' | 'danger';
  /** Text and button labels of a confirmation dialog. */
  ask?: { question: string; yes: string; no?: string; calm?: boolean };
  done: string;
  failed: string;
};

type State = { batch: Batch; allAdded: boolean };

const targetOf = ({ batch_id }: Batch) => ({ params: { id: batch_id }, timeoutMs: TIMEOUT_MS });

const isOpen = ({ job_statuses, state }: Batch) =>
  job_statuses.PENDING + job_statuses.RUNNING > 0 || ['Preparing', 'Generating'].includes(state);

function leaderboardActions({ batch, allAdded }: State): BatchAction[] {
  const target = targetOf(batch);
  const unfinished = batch.total_jobs - batch.job_statuses.FINISHED;
  const rest = unfinished > 0 ? ` ${unfinished} have not finished and can be added later.` : '';
  return [
    {
      label: 'Add to Leaderboard',
      send: () => api.post('/llm/process-batch/{id}', target),
      disabled: allAdded || batch.job_statuses.FINISHED === 0,
      look: 'primary',
      ask: {
        question: `Add the results of the finished matches of batch #${batch.batch_number} to the llm-batch leaderboard?${rest}`,
        yes: 'Add to leaderboard',
        calm: true,
      },
      done: 'Batch added to the leaderboard.',
      failed: 'Failed to add to leaderboard:',
    },
    {
      label: 'Remove',
      send: () => api.post('/llm/delete-batch-leaderboard/{id}', target),
      disabled: !batch.on_leaderboard,
      ask: {
        question: `Remove all results of batch #${batch.batch_number} from the llm-batch leaderboard? Its matches are kept.`,
        yes: 'Remove from leaderboard',
      },
      done: 'Batch removed from the leaderboard.',
      failed: 'Failed to remove from leaderboard:',
    },
  ];
}

function runActions({ batch }: State): BatchAction[] {
  const target = targetOf(batch);
  const actions: BatchAction[] = [];
  if (isOpen(batch)) {
    actions.push(
      batch.paused
        ? {
            label: 'Resume',
            send: () => api.post('/llm/batch/{id}/resume', target),
            done: 'Batch resumed.',
            failed: 'Failed to resume batch:',
          }
        : {
            label: 'Pause',
            send: () => api.post('/llm/batch/{id}/pause', target),
            done: 'Batch paused.',
            failed: 'Failed to pause batch:',
          },
      {
        label: 'Cancel',
        send: () => api.post('/llm/batch/{id}/cancel', target),
        ask: {
          question: `Cancel batch #${batch.batch_number}? Matches that have not finished are stopped and count as failed. You can retry them later.`,
          yes: 'Cancel the batch',
          no: 'Keep it running',
        },
        done: 'Batch cancelled.',
        failed: 'Failed to cancel batch:',
      },
    );
  }
  if (
    batch.state !== 'Stopped' &&
    (batch.job_statuses.FAILED > 0 || batch.state === 'Failed' || batch.state === 'Cancelled')
  ) {
    actions.push({
      label: batch.job_statuses.FAILED > 0 ? 'Retry failed jobs' : 'Retry',
      send: () => api.post('/llm/batch/{id}/retry', target),
      done: 'Failed jobs queued again.',
      failed: 'Failed to retry batch:',
    });
  }
  return actions;
}

/** Returns an admin's actions on a batch. An action that the server would refuse is disabled or left out. */
function actionsOf(state: State): BatchAction[] {
  const { batch } = state;
  const target = targetOf(batch);
  return [
    ...leaderboardActions(state),
    ...runActions(state),
    {
      label: batch.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC',
      send: () => api.post('/llm/batch/{id}/public', { ...target, body: { public: !batch.is_public } }),
      ask: batch.is_public
        ? {
            question: `Make all ${batch.total_jobs} matches of batch #${batch.batch_number} private? Only their players and admins can open them afterwards. Copies that others downloaded remain.`,
            yes: 'Make private',
            calm: true,
          }
        : {
            question: `Make all ${batch.total_jobs} matches of batch #${batch.batch_number} public? Everybody can read their hands with all hole cards afterwards, also of matches that are still to be played.`,
            yes: 'Make public',
            calm: true,
          },
      done: batch.is_public ? 'The batch is now private.' : 'The batch is now public.',
      failed: 'Failed to toggle public status. Please try again.',
    },
    {
      label: 'Delete',
      send: () => api.delete('/llm/batch/{id}', target),
      disabled: batch.on_leaderboard,
      look: 'danger',
      ask: {
        question: 'Are you sure you want to delete this batch and all related jobs?',
        yes: 'Delete batch',
      },
      done: 'Batch deleted.',
      failed: 'Failed to delete batch:',
    },
  ];
}

export function BatchActions({ batch, allAdded }: { batch: Batch; allAdded: boolean }) {
  const client = useQueryClient();
  const [toConfirm, setToConfirm] = useState<BatchAction | null>(null);
  const action = useMutation({
    mutationFn: ({ send }: BatchAction) => send(),
    onSuccess: (response, { done }) => toast.success('message' in response ? response.message : done),
    onError: (error, { failed }) => toast.error(`${failed} ${messageOf(error)}`),
    onSettled: () => {
      setToConfirm(null);
      return Promise.all([client.invalidateQueries({ queryKey: ['llm'] }), invalidateJobs(client), invalidateScores(client)]);
    },
  });

  return (
    <div className="cluster">
      {actionsOf({ batch, allAdded }).map((entry) => (
        <Button
          key={entry.label}
          small
          variant={entry.look ?? 'secondary'}
          disabled={action.isPending || entry.disabled === true}
          onClick={() => (entry.ask ? setToConfirm(entry) : action.mutate(entry))}
        >
          {entry.label}
        </Button>
      ))}
      <ConfirmDialog
        open={toConfirm !== null}
        title={toConfirm?.ask?.yes ?? ''}
        confirmLabel={toConfirm?.ask?.yes ?? ''}
        keepLabel={toConfirm?.ask?.no ?? 'Cancel'}
        calm={toConfirm?.ask?.calm ?? false}
        busy={action.isPending}
        onConfirm={() => toConfirm && action.mutate(toConfirm)}
        onCancel={() => setToConfirm(null)}
      >
        <p>{toConfirm?.ask?.question}</p>
      </ConfirmDialog>
    </div>
  );
}
