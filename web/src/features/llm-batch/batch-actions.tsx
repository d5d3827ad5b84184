import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { invalidateJobs, invalidateScores } from '../../lib/query-keys.ts';
import type { Batch } from '../../lib/types.ts';
import { batchName } from './batch-rules.ts';

// The largest batch, 38,760 jobs, takes the server up to a minute.
const TIMEOUT_MS = 65_000;

/** A button of a batch: its call, its confirmation and its result texts. */
type BatchAction = {
  label: string;
  send: () => Promise<{ message: string } | object>;
  disabled?: boolean;
  variant?: 'primary' | 'danger';
  /** Text and button labels of a confirmation dialog. */
  confirmation?: { question: string; confirmLabel: string; cancelLabel?: string; destructive?: boolean };
  successText: string;
  failureText: string;
};

type State = { batch: Batch; allAdded: boolean };

const targetOf = ({ batch_id }: Batch) => ({ params: { id: batch_id }, timeoutMs: TIMEOUT_MS });

const isOpen = ({ job_statuses, state }: Batch) =>
  job_statuses.PENDING + job_statuses.RUNNING > 0 || ['Preparing', 'Generating'].includes(state ?? '');

function leaderboardActions({ batch, allAdded }: State): BatchAction[] {
  const target = targetOf(batch);
  const { FINISHED, DELETED = 0 } = batch.job_statuses;
  const unfinished = batch.total_jobs - FINISHED - DELETED;
  const rest = unfinished > 0 ? ` ${unfinished} have not finished and can be added later.` : '';
  return [
    {
      label: 'Add to Leaderboard',
      send: () => api.post('/llm/process-batch/{id}', target),
      disabled: allAdded || batch.job_statuses.FINISHED === 0,
      variant: 'primary',
      confirmation: {
        question: `Add the results of the finished matches of batch ${batchName(batch)} to the llm-batch leaderboard?${rest}`,
        confirmLabel: 'Add to leaderboard',
        destructive: false,
      },
      successText: 'Batch added to the leaderboard.',
      failureText: 'Failed to add to leaderboard:',
    },
    {
      label: 'Remove',
      send: () => api.post('/llm/delete-batch-leaderboard/{id}', target),
      disabled: !batch.on_leaderboard,
      confirmation: {
        question: `Remove all results of batch ${batchName(batch)} from the llm-batch leaderboard? Its matches are kept.`,
        confirmLabel: 'Remove from leaderboard',
      },
      successText: 'Batch removed from the leaderboard.',
      failureText: 'Failed to remove from leaderboard:',
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
            successText: 'Batch resumed.',
            failureText: 'Failed to resume batch:',
          }
        : {
            label: 'Pause',
            send: () => api.post('/llm/batch/{id}/pause', target),
            successText: 'Batch paused.',
            failureText: 'Failed to pause batch:',
          },
      {
        label: 'Cancel',
        send: () => api.post('/llm/batch/{id}/cancel', target),
        confirmation: {
          question: `Cancel batch ${batchName(batch)}? Matches that have not finished are stopped and count as failed. You can retry them later.`,
          confirmLabel: 'Cancel the batch',
          cancelLabel: 'Keep it running',
        },
        successText: 'Batch cancelled.',
        failureText: 'Failed to cancel batch:',
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
      successText: 'Failed jobs queued again.',
      failureText: 'Failed to retry batch:',
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
      confirmation: batch.is_public
        ? {
            question: `Make all ${batch.total_jobs} matches of batch ${batchName(batch)} private? Only their players and admins can open them afterwards. Copies that others downloaded remain.`,
            confirmLabel: 'Make private',
            destructive: false,
          }
        : {
            question: `Make all ${batch.total_jobs} matches of batch ${batchName(batch)} public? Everybody can read their hands with all hole cards afterwards, also of matches that are still to be played.`,
            confirmLabel: 'Make public',
            destructive: false,
          },
      successText: batch.is_public ? 'The batch is now private.' : 'The batch is now public.',
      failureText: 'Failed to toggle public status. Please try again.',
    },
    {
      label: 'Delete',
      send: () => api.delete('/llm/batch/{id}', target),
      disabled: batch.on_leaderboard,
      variant: 'danger',
      confirmation: {
        question: 'Are you sure you want to delete this batch and all related jobs?',
        confirmLabel: 'Delete batch',
      },
      successText: 'Batch deleted.',
      failureText: 'Failed to delete batch:',
    },
  ];
}

export function BatchActions({ batch, allAdded }: { batch: Batch; allAdded: boolean }) {
  const client = useQueryClient();
  const [toConfirm, setToConfirm] = useState<BatchAction | null>(null);
  const action = useMutation({
    mutationFn: ({ send }: BatchAction) => send(),
    onSuccess: (response, { successText }) => toast.success('message' in response ? response.message : successText),
    onError: (error, { failureText }) => toast.error(`${failureText} ${messageOf(error)}`),
    onSettled: () => {
      setToConfirm(null);
      return Promise.all([
        client.invalidateQueries({ queryKey: ['llm'] }),
        invalidateJobs(client),
        invalidateScores(client),
      ]);
    },
  });

  return (
    <div className="cluster">
      {actionsOf({ batch, allAdded }).map((entry) => (
        <Button
          key={entry.label}
          small
          variant={entry.variant ?? 'secondary'}
          disabled={action.isPending || entry.disabled === true}
          onClick={() => (entry.confirmation ? setToConfirm(entry) : action.mutate(entry))}
        >
          {entry.label}
        </Button>
      ))}
      <ConfirmDialog
        open={toConfirm !== null}
        title={toConfirm?.confirmation?.confirmLabel ?? ''}
        confirmLabel={toConfirm?.confirmation?.confirmLabel ?? ''}
        cancelLabel={toConfirm?.confirmation?.cancelLabel ?? 'Cancel'}
        destructive={toConfirm?.confirmation?.destructive ?? true}
        busy={action.isPending}
        onConfirm={() => toConfirm && action.mutate(toConfirm)}
        onCancel={() => setToConfirm(null)}
      >
        <p>{toConfirm?.confirmation?.question}</p>
      </ConfirmDialog>
    </div>
  );
}
