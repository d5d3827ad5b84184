import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toast-store.ts';
import { messageOf } from '../../lib/api-error.ts';
import { jobsChanged, scoresChanged } from '../../lib/stale-lists.ts';
import type { Batch } from '../../lib/types.ts';
import { actionsOf, type BatchAction } from './batch-action-list.ts';

export function BatchActions({ batch, allAdded }: { batch: Batch; allAdded: boolean }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<BatchAction | null>(null);
  const action = useMutation({
    mutationFn: ({ send }: BatchAction) => send(),
    onSuccess: (answer, { done }) => toast.success('message' in answer ? answer.message : done),
    onError: (error, { failed }) => toast.error(`${failed} ${messageOf(error)}`),
    onSettled: () => {
      setAsked(null);
      return Promise.all([client.invalidateQueries({ queryKey: ['llm'] }), jobsChanged(client), scoresChanged(client)]);
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
          onClick={() => (entry.ask ? setAsked(entry) : action.mutate(entry))}
        >
          {entry.label}
        </Button>
      ))}
      <ConfirmDialog
        open={asked !== null}
        title={asked?.ask?.yes ?? ''}
        confirmLabel={asked?.ask?.yes ?? ''}
        keepLabel={asked?.ask?.no ?? 'Cancel'}
        calm={asked?.ask?.calm ?? false}
        busy={action.isPending}
        onConfirm={() => asked && action.mutate(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>{asked?.ask?.question}</p>
      </ConfirmDialog>
    </div>
  );
}
