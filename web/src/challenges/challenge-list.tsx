import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/page.tsx';
import { PagedRows } from '../components/pagination.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toasts.tsx';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { formatTime } from '../lib/format.ts';
import { usePagedList } from '../lib/paged-list.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../lib/query-keys.ts';
import type { Challenge } from '../lib/types.ts';

const DONE = { accept: 'Challenge accepted.', decline: 'Challenge declined.', publish: 'You agree to publish it.' };
type Answer = keyof typeof DONE;

/** Lists the challenges that a user has sent and received, with what the user can do. */
export function ChallengeList({ username }: { username: string }) {
  const client = useQueryClient();
  const list = usePagedList({
    queryKey: queryKeys.challenges,
    pageSize: 10,
    fetch: async (paging, signal) => {
      const { challenges, total_count } = await api.get('/challenges', { query: paging, signal });
      return { items: challenges, total: total_count };
    },
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  const answer = useMutation({
    mutationFn: ({ challenge_id: id, word }: { challenge_id: string; word: Answer }) =>
      api.post(`/challenges/{id}/${word}`, { params: { id } }),
    onSuccess: ({ state, reason }, { word }) =>
      state === 'ended' ? toast.error(`It is not played. ${reason}`) : toast.success(DONE[word]),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () =>
      Promise.all([queryKeys.challenges, queryKeys.ownJobs].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  const columns: Column<Challenge>[] = [
    { label: 'Challenge', brief: true, cell: (one) => <Who challenge={one} username={username} /> },
    { label: 'State', brief: true, cell: (one) => <State challenge={one} username={username} /> },
    {
      label: 'Matches',
      cell: ({ job_ids }) => (
        <span className="cluster">
          {job_ids.length === 0 && <span className="muted">none</span>}
          {job_ids.map((id, index) => (
            <Link key={id} to={`/games/${id}`} aria-label={`Match ${index + 1} of this challenge`}>
              {job_ids.length === 1 ? 'Match' : index + 1}
            </Link>
          ))}
        </span>
      ),
    },
    {
      label: 'Answer',
      cell: (one) => (
        <Actions
          challenge={one}
          username={username}
          busy={answer.isPending}
          onAnswer={(word) => answer.mutate({ ...one, word })}
        />
      ),
    },
  ];
  return (
    <Panel
      title="Challenges"
      flush
      actions={
        <ButtonLink to="/challenge" variant="secondary" small>
          Challenge somebody
        </ButtonLink>
      }
    >
      <PagedRows list={list} noun="challenges" empty="No challenge yet">
        {(rows) => (
          <Table caption="Challenges" columns={columns} rows={rows} rowKey={({ challenge_id }) => challenge_id} />
        )}
      </PagedRows>
    </Panel>
  );
}

function Who({ challenge, username }: { challenge: Challenge; username: string }) {
  const { challenger, format, num_rounds: hands, created_at } = challenge;
  return (
    <span className="name-whole">
      {challenger === username ? 'You' : <Name name={challenger} />} to{' '}
      {namesOf(challenge, username, ({ role }) => role === 'opponent')}
      <br />
      <span className="muted">
        {format === 'set' ? `Set of 6 × ${hands} hands` : `Match of ${hands} hands`}, {formatTime(created_at)}
      </span>
    </span>
  );
}

const STATES = {
  waiting: ['Waiting', 'yellow'],
  queued: ['Queued', 'yellow'],
  playing: ['Playing', 'accent'],
  finished: ['Finished', 'green'],
  failed: ['Failed', 'red'],
  declined: ['Declined', 'grey'],
  expired: ['Expired', 'grey'],
  ended: ['Not played', 'red'],
} as const;

const namesOf = (challenge: Challenge, me: string, which: (player: Challenge['players'][number]) => boolean) =>
  challenge.players
    .filter(which)
    .map(({ username }) => (username === me ? 'you' : username))
    .join(', ');

function State({ challenge, username }: { challenge: Challenge; username: string }) {
  const { state, reason, published_at, expires_at } = challenge;
  const [label, color] = STATES[state];
  const waitsFor = namesOf(challenge, username, ({ answer }) => answer === 'waiting');
  return (
    <span>
      <Badge color={color}>{label}</Badge>{' '}
      <span className="muted">
        {reason ?? ''}
        {state === 'waiting' && `for ${waitsFor || 'its matches'}, until ${formatTime(expires_at)}`}
        {published_at !== null && 'public'}
      </span>
    </span>
  );
}

type ActionsProps = { challenge: Challenge; username: string; busy: boolean; onAnswer: (word: Answer) => void };

function Actions({ challenge, username, busy, onAnswer }: ActionsProps) {
  const { state, published_at, job_ids } = challenge;
  const own = challenge.players.find((player) => player.username === username);
  const action = (word: Answer, label: string, variant: 'primary' | 'ghost' = 'ghost') => (
    <Button small variant={variant} disabled={busy} onClick={() => onAnswer(word)}>
      {label}
    </Button>
  );
  if (state === 'waiting' && own?.role === 'challenger') return action('decline', 'Withdraw');
  if (state === 'waiting' && own?.answer === 'waiting') {
    return (
      <div className="cell-actions">
        {action('accept', 'Accept', 'primary')}
        {action('decline', 'Decline')}
      </div>
    );
  }
  if (job_ids.length === 0 || published_at !== null || state === 'failed') return null;
  if (own && !own.publishes) return action('publish', 'Make public');
  const missing = namesOf(challenge, username, ({ publishes }) => !publishes);
  return <span className="muted">{missing === '' ? 'Public after its end' : `Public once ${missing} agrees`}</span>;
}
