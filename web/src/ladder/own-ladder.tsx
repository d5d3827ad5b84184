import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { QueryState } from '../components/feedback.tsx';
import { CheckField } from '../components/form.tsx';
import { Panel, Stats } from '../components/page.tsx';
import { toast } from '../components/toasts.tsx';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { deltaClass, formatNumber, formatTime } from '../lib/format.ts';
import { POLL_LADDER_MS, queryKeys } from '../lib/query-keys.ts';
import type { LadderHistory } from '../lib/types.ts';
import { formatRating, IntervalBar, rankText, scaleOf } from './figures.tsx';

const usePart = () =>
  useQuery({ queryKey: queryKeys.ladderPart, queryFn: ({ signal }) => api.get('/submission/ladder', { signal }) });

export const useLadderHistory = (username: string) =>
  useQuery({
    queryKey: queryKeys.ladderHistory(username),
    queryFn: ({ signal }) => api.get('/ladder/{username}', { params: { username }, signal }),
    refetchInterval: POLL_LADDER_MS,
  });

/** Chooses whether the user takes part in the ladder. */
export function LadderSwitch() {
  const client = useQueryClient();
  const part = usePart();
  const change = useMutation({
    mutationFn: (takesPart: boolean) => api.post('/submission/ladder', { body: { takes_part: takesPart } }),
    onSuccess: (next) => {
      client.setQueryData(queryKeys.ladderPart, next);
      toast.success(next.takes_part ? 'Your final submission plays on the ladder.' : 'Your bot plays no further set.');
    },
    onError: (error) => toast.error(`Failed to change this. ${messageOf(error)}`),
  });
  return (
    <Panel title="Ladder">
      <QueryState what="whether you take part" query={part} />
      {part.data && (
        <div className="stack">
          <CheckField
            label="My final submission plays on the ladder"
            checked={change.isPending ? change.variables : part.data.takes_part}
            onCheck={(takesPart) => change.mutate(takesPart)}
          />
          <p className="muted">
            It meets the bots of others all day and gets a <Link to="/ladder">rating</Link>. A change counts from the
            next set on.
          </p>
        </div>
      )}
    </Panel>
  );
}

/** Shows rank, rating, and last sets of the user's bot on the ladder. */
export function OwnLadder({ username }: { username: string }) {
  const history = useLadderHistory(username);
  const part = usePart();
  return (
    <Panel title="Your bot on the ladder">
      <QueryState what="your rating" query={history} />
      {part.data?.pause_reason && (
        <p className="ladder-paused" role="status">
          Paused: {part.data.pause_reason}
        </p>
      )}
      {history.data && <OwnRating history={history.data} takesPart={part.data?.takes_part ?? true} />}
    </Panel>
  );
}

/** Links to the hand of a day on the ladder in which the user's bot won or lost most. */
function ExtremeHand({ username, kind }: { username: string; kind: 'best' | 'worst' }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.ladderHistory(username), kind],
    queryFn: ({ signal }) =>
      api.get('/live/players/{username}/hands', {
        params: { username },
        query: { kind, limit: 1, of: 'ladder' },
        signal,
      }),
  });
  const [hand] = data?.hands ?? [];
  if (!hand) return null;
  return (
    <span>
      <Link to={`/replay/${encodeURIComponent(hand.game_id)}`}>
        {kind === 'best' ? 'Best hand of a day' : 'Worst hand of a day'}
      </Link>{' '}
      <b className={`mono-number ${deltaClass(hand.net)}`}>{formatRating(hand.net)}</b>
    </span>
  );
}

function OwnRating({ history, takesPart }: { history: LadderHistory; takesPart: boolean }) {
  const { entry, sets } = history;
  return (
    <div className="stack">
      {entry === null ? (
        <p className="muted">
          {takesPart
            ? 'No rating yet. It appears after the first set of your final submission.'
            : 'You do not take part. The switch is on the page of submissions.'}
        </p>
      ) : (
        <>
          <Stats
            items={[
              { label: 'Rank', value: rankText(entry) },
              {
                label: 'Rating',
                value: <span className={deltaClass(entry.rating)}>{formatRating(entry.rating)}</span>,
                note: 'Chips per 100 hands',
              },
              { label: 'Hands', value: formatNumber(entry.hands) },
              { label: 'Version', value: entry.version },
            ]}
          />
          <IntervalBar {...entry} {...scaleOf([entry])} />
        </>
      )}
      {sets.length > 0 && (
        <p className="cluster">
          <ExtremeHand username={history.username} kind="best" />
          <ExtremeHand username={history.username} kind="worst" />
        </p>
      )}
      {sets.length > 0 && (
        <ul className="ladder-sets">
          {sets.slice(0, 5).map(({ set_id, ended_at, value, bad_matches, opponents, job_ids }) => (
            <li key={set_id}>
              <b className={`mono-number ${deltaClass(value)}`}>{formatRating(value)}</b>
              <span>
                {formatTime(ended_at)} against {opponents.join(', ')}
                {bad_matches > 0 && <span className="negative"> Your bot failed in {bad_matches} of 6 matches.</span>}{' '}
                {job_ids.map((id, index) => (
                  <Link key={id} to={`/games/${id}`} aria-label={`Match ${index + 1} of this set`}>
                    {index + 1}{' '}
                  </Link>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Link to="/ladder">The whole ladder</Link>
    </div>
  );
}
