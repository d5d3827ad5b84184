import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { isRevealing } from '../../lib/tournament.ts';
import type { Tournament } from '../../lib/types.ts';

type Action = 'start' | 'pause' | 'resume' | 'cancel' | 'reveal' | 'delete';

const labels: Readonly<Record<Action, string>> = {
  start: 'Start now',
  pause: 'Pause',
  resume: 'Continue',
  cancel: 'Cancel tournament',
  reveal: 'Reveal the next place',
  delete: 'Delete',
};

function actionsOf(tournament: Tournament): Action[] {
  const { state } = tournament;
  if (state === 'open') return ['delete'];
  if (state === 'frozen') return ['start', 'pause', 'cancel'];
  if (state === 'running') return ['pause', 'cancel'];
  if (state === 'paused') return ['resume', 'cancel'];
  return isRevealing(tournament) ? ['reveal'] : [];
}

/** What an admin can do with a tournament in its state. */
export function TournamentActions({
  tournament,
  onForm,
}: {
  tournament: Tournament;
  onForm: (form: 'edit' | 'copy') => void;
}) {
  const { slug, name, state, revealed } = tournament;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Action | null>(null);
  const act = useMutation({
    mutationFn: async (action: Action) => {
      const params = { slug };
      if (action === 'delete') await api.delete('/tournaments/{slug}', { params });
      else if (action === 'reveal') await api.post('/tournaments/{slug}/reveal', { params, query: { revealed } });
      else await api.post(`/tournaments/{slug}/${action}`, { params });
      return action;
    },
    onSettled: async (action) => {
      setAsked(null);
      await client.invalidateQueries({ queryKey: queryKeys.tournaments });
      if (action === 'delete') await navigate('/tournaments');
    },
  });
  return (
    <>
      <ErrorBox text={act.isError ? messageOf(act.error) : ''} />
      {state === 'open' && (
        <Button variant="secondary" onClick={() => onForm('edit')}>
          Change
        </Button>
      )}
      <Button variant="ghost" onClick={() => onForm('copy')}>
        Copy
      </Button>
      {actionsOf(tournament).map((action) => (
        <Button
          key={action}
          variant={action === 'cancel' || action === 'delete' ? 'danger' : 'primary'}
          disabled={act.isPending}
          onClick={() => (action === 'cancel' || action === 'delete' ? setAsked(action) : act.mutate(action))}
        >
          {labels[action]}
        </Button>
      ))}
      <ConfirmDialog
        open={asked !== null}
        title={`${asked === null ? '' : labels[asked]}: ${name}`}
        confirmLabel={asked === null ? '' : labels[asked]}
        cancelLabel="Keep it"
        busy={act.isPending}
        onConfirm={() => asked && act.mutate(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>
          {asked === 'delete'
            ? 'The announcement disappears; no submission is changed.'
            : 'What is being played ends, and there is no champion. This cannot be undone.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
