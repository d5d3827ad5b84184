import type { Batch } from '../../lib/types.ts';

/** One button of a batch: what it sends, what is asked before and what is said after. */
export type BatchAction = {
  label: string;
  method?: 'delete';
  path: string;
  body?: unknown;
  disabled?: boolean;
  look?: 'primary' | 'danger';
  /** Asked in a dialog before; `yes` and `no` are its buttons. */
  ask?: { question: string; yes: string; no?: string; calm?: boolean };
  done: string;
  failed: string;
};

type State = { batch: Batch; allAdded: boolean };

const isOpen = ({ job_statuses, state }: Batch) =>
  job_statuses.PENDING + job_statuses.RUNNING > 0 || ['Preparing', 'Generating'].includes(state);

function leaderboardActions({ batch, allAdded }: State): BatchAction[] {
  const id = encodeURIComponent(batch.batch_id);
  const unfinished = batch.total_jobs - batch.job_statuses.FINISHED;
  const rest = unfinished > 0 ? ` ${unfinished} have not finished and can be added later.` : '';
  return [
    {
      label: 'Add to Leaderboard',
      path: `/llm/process-batch/${id}`,
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
      path: `/llm/delete-batch-leaderboard/${id}`,
      disabled: !batch.on_leaderboard,
      ask: {
        question: `Take all results of batch #${batch.batch_number} out of the llm-batch leaderboard again? Its matches stay.`,
        yes: 'Remove from leaderboard',
      },
      done: 'Batch removed from the leaderboard.',
      failed: 'Failed to remove from leaderboard:',
    },
  ];
}

function runActions({ batch }: State): BatchAction[] {
  const path = `/llm/batch/${encodeURIComponent(batch.batch_id)}`;
  const actions: BatchAction[] = [];
  if (isOpen(batch)) {
    actions.push(
      batch.paused
        ? { label: 'Resume', path: `${path}/resume`, done: 'Batch resumed.', failed: 'Failed to resume batch:' }
        : { label: 'Pause', path: `${path}/pause`, done: 'Batch paused.', failed: 'Failed to pause batch:' },
      {
        label: 'Cancel',
        path: `${path}/cancel`,
        ask: {
          question: `Cancel batch #${batch.batch_number}? Matches that have not finished are stopped and count as failed; a retry plays them after all.`,
          yes: 'Cancel the batch',
          no: 'Keep it running',
        },
        done: 'Batch cancelled.',
        failed: 'Failed to cancel batch:',
      },
    );
  }
  if (batch.job_statuses.FAILED > 0 || batch.state === 'Failed' || batch.state === 'Cancelled') {
    actions.push({
      label: batch.job_statuses.FAILED > 0 ? 'Retry failed jobs' : 'Retry',
      path: `${path}/retry`,
      done: 'Failed jobs queued again.',
      failed: 'Failed to retry batch:',
    });
  }
  return actions;
}

/** What an admin can do with a batch; each is open only where the server would take it. */
export function actionsOf(state: State): BatchAction[] {
  const { batch } = state;
  const path = `/llm/batch/${encodeURIComponent(batch.batch_id)}`;
  return [
    ...leaderboardActions(state),
    ...runActions(state),
    {
      label: batch.is_public ? 'MAKE PRIVATE' : 'MAKE PUBLIC',
      path: `${path}/public`,
      body: { public: !batch.is_public },
      done: batch.is_public ? 'The batch is private now.' : 'The batch is public now.',
      failed: 'Failed to toggle public status. Please try again.',
    },
    {
      label: 'Delete',
      method: 'delete',
      path,
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
