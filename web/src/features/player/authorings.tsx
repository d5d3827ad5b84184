import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { LoadError } from '../../components/feedback.tsx';
import { ChoiceField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Authoring } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { formatPoints } from '../../standings/points.ts';
import { AuthoringCode } from './authoring-code.tsx';

const AUDIENCES: Readonly<Record<Authoring['shown'], string>> = {
  private: 'Nothing: private',
  rounds: 'The rounds',
  code: 'The rounds and their code',
};

/** Shows how language models wrote a player's submissions: what is shown to the reader. Renders nothing without any. */
export function Authorings({ username }: { username: string }) {
  const authorings = useQuery({
    queryKey: [...queryKeys.player(username), 'authorings'],
    queryFn: ({ signal }) => api.get('/players/{username}/authorings', { params: { username }, signal }),
  });
  if (authorings.data === undefined) {
    const failed = authorings.isError && !isApiError(authorings.error, 404);
    return failed ? <LoadError what="how the bots were written" query={authorings} /> : null;
  }
  return authorings.data.authorings.map((one) => (
    <AuthoringPanel key={one.submission_id} username={username} authoring={one} />
  ));
}

function AuthoringPanel({ username, authoring }: { username: string; authoring: Authoring }) {
  const { user } = useSession();
  const { shown, record } = authoring;
  const mine = user?.username === username;
  const { model, model_version: version, prompt, rounds, field, hands, tokens, cost_usd: cost } = record;
  return (
    <Panel title="How this bot was written" actions={shown === 'private' && <Badge color="yellow">Private</Badge>}>
      <div className="authoring">
        <p>
          <b>{model}</b>
          {version !== null && version !== model && ` (${version})`} wrote bot{' '}
          <code title={authoring.bot_hash}>{authoring.bot_hash.slice(0, 12)}</code> in {formatNumber(rounds.length)}{' '}
          {rounds.length === 1 ? 'round' : 'rounds'} by the prompt {prompt.name} {prompt.version} (SHA-256{' '}
          <code title={prompt.sha256}>{prompt.sha256.slice(0, 12)}</code>), with {formatNumber(tokens.input)} tokens in,{' '}
          {formatNumber(tokens.output)} out{cost !== null && ` and ${dollars(cost)}`}.
        </p>
        <Table
          caption="Rounds"
          columns={roundColumns(record.best_round)}
          rows={rounds.map((round, index) => ({ ...round, number: index + 1 }))}
          rowKey={({ number }) => String(number)}
        />
        <p className="muted">
          Results: big blinds per 100 hands without luck, with the 95 % interval, of {formatNumber(hands)} hands on the
          author's machine against {field.join(', ')}. The player states all of this; the site has checked only that the
          code of the best round is the bot's.
        </p>
        {(shown === 'code' || mine || user?.admin) && <AuthoringCode submissionId={authoring.submission_id} />}
        {(mine || user?.admin) && <Controls username={username} authoring={authoring} mine={mine} />}
      </div>
    </Panel>
  );
}

type Round = Authoring['record']['rounds'][number] & { number: number };

const dollars = (cost: number) => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;

const roundColumns = (best: number): Column<Round>[] => [
  {
    label: 'Round',
    cell: ({ number }) => (
      <>
        {number} {number === best && <Badge color="green">Best</Badge>}
      </>
    ),
  },
  { label: 'Result', align: 'end', cell: ({ bb_per_100: points }) => <Result points={points} /> },
  { label: 'Verdict', cell: ({ verdict }) => <span className="breakable">{verdict}</span> },
  { label: 'Tokens', align: 'end', cell: ({ tokens }) => formatNumber(tokens.input + tokens.output) },
  { label: 'Cost', align: 'end', cell: ({ cost_usd: cost }) => (cost === null ? '—' : dollars(cost)) },
];

function Result({ points }: { points: Round['bb_per_100'] }) {
  if (points === null) return '—';
  return (
    <span className="mono-number">
      {formatPoints(points.mean, 'bb')}
      {points.low !== null && points.high !== null && (
        <small className="authoring-interval">
          {formatPoints(points.low, 'bb')} to {formatPoints(points.high, 'bb')}
        </small>
      )}
    </span>
  );
}

/** Lets the author choose what everybody sees; the author and admins delete it. */
function Controls({ username, authoring, mine }: { username: string; authoring: Authoring; mine: boolean }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { submission_id, shown } = authoring;
  const options = {
    onError: (error: Error) => toast.error(`Failed to change it. ${messageOf(error)}`),
    onSettled: () => {
      setAsked(false);
      return client.invalidateQueries({ queryKey: queryKeys.player(username) });
    },
  };
  const show = useMutation({
    ...options,
    mutationFn: (next: Authoring['shown']) =>
      api.post('/submission/authoring/show', { body: { submission_id, shown: next } }),
    onSuccess: (_, next) => toast.success(next === 'private' ? 'It is private now.' : 'Everybody can see it now.'),
  });
  const removal = useMutation({
    ...options,
    mutationFn: () => api.delete('/submission/{id}/authoring', { params: { id: submission_id } }),
    onSuccess: () => toast.success('Deleted.'),
  });
  return (
    <div className="cluster spread">
      {mine && (
        <ChoiceField
          label="What everybody sees"
          value={shown}
          choices={AUDIENCES}
          onChoose={(next) => show.mutate(next)}
        />
      )}
      <Button variant="danger" small onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        title="Delete how this bot was written?"
        confirmLabel="Delete"
        busy={removal.isPending}
        onConfirm={() => removal.mutate()}
        onCancel={() => setAsked(false)}
      >
        <p>The rounds are deleted from the site. The submission stays.</p>
      </ConfirmDialog>
    </div>
  );
}
