import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { QueryState } from '../components/feedback.tsx';
import { ChoiceField } from '../components/form.tsx';
import { Panel } from '../components/page.tsx';
import { toast } from '../components/toasts.tsx';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';

const CHOICES = { accept: 'Accept all', ask: 'Ask me', never: 'Never' };

/** Chooses what happens when somebody challenges the user. */
export function ChallengeChoice() {
  const client = useQueryClient();
  const choice = useQuery({
    queryKey: queryKeys.challengeChoice,
    queryFn: ({ signal }) => api.get('/submission/challenges', { signal }),
  });
  const change = useMutation({
    mutationFn: (next: keyof typeof CHOICES) => api.post('/submission/challenges', { body: { choice: next } }),
    onSuccess: (next) => {
      client.setQueryData(queryKeys.challengeChoice, next);
      toast.success(`Challenges: ${CHOICES[next.choice].toLowerCase()}.`);
    },
    onError: (error) => toast.error(`Failed to change this. ${messageOf(error)}`),
  });
  return (
    <Panel title="Challenges">
      <QueryState what="what you do with challenges" query={choice} />
      {choice.data && (
        <div className="stack">
          <ChoiceField
            label="When somebody challenges me"
            value={change.isPending ? change.variables : choice.data.choice}
            choices={CHOICES}
            onChoose={(next) => change.mutate(next)}
          />
          <p className="muted">
            Your final submission then plays a match that is not rated. If you are asked, you have 24 hours to answer on
            the dashboard.
          </p>
        </div>
      )}
    </Panel>
  );
}
