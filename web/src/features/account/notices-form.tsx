import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryKeys } from '../../lib/query-keys.ts';

const LABELS: Record<string, string> = {
  verified: 'My address has been verified',
  bot_prepared: 'The packages of a submission are ready or refused after its upload',
  bot_disabled: 'My bot was disabled in a match or paused on the ladder',
  challenged: 'Somebody challenges my bot, and I want to be asked',
  tournament: 'My bot is entered in a tournament, would not start in it, or the results are out',
  match_finished: 'A match or batch of mine has ended',
};

/** Selects the notices sent by mail. Each change is saved at once. */
export function NoticesForm() {
  const client = useQueryClient();
  const notices = useQuery({
    queryKey: queryKeys.notices,
    queryFn: ({ signal }) => api.get('/auth/notices', { signal }),
  });
  const save = useMutation({
    mutationFn: ({ kind, enabled }: { kind: string; enabled: boolean }) =>
      api.post('/auth/notices', { body: { [kind]: enabled } }),
    onSuccess: (response, { enabled }) => {
      client.setQueryData(queryKeys.notices, response);
      toast.success(enabled ? 'You will get these e-mails.' : 'You will not get these e-mails any more.');
    },
    onError: (error) => toast.error(`Failed to save your notices: ${messageOf(error)}`),
  });

  return (
    <Panel title="E-mail notices">
      <div className="stack">
        <QueryState what="your notices" query={notices} />
        {notices.data && (
          <fieldset className="stack plain-fieldset">
            <legend className="muted">Send me an e-mail when</legend>
            {notices.data.notices.map(({ kind, enabled }) => (
              <label key={kind} className="cluster">
                <input
                  type="checkbox"
                  className="check"
                  checked={enabled}
                  disabled={save.isPending}
                  onChange={(event) => save.mutate({ kind, enabled: event.target.checked })}
                />
                {LABELS[kind] ?? kind}
              </label>
            ))}
          </fieldset>
        )}
        <p className="muted">
          You get at most one e-mail of each kind in ten minutes. Later notices are combined in the next one.
          {notices.data && !notices.data.address_verified && ' No e-mail is sent until your address is verified.'}
        </p>
      </div>
    </Panel>
  );
}
