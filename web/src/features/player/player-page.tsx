import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, LoadError, Loading, Notice, QueryState } from '../../components/feedback.tsx';
import { Name } from '../../components/name.tsx';
import { Page, Panel, Stats, usePageTitle } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { RatingHistory } from '../../ladder/rating-history.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatNumber } from '../../lib/format.ts';
import { challengePath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { lazyPart } from '../../lib/retry-import.ts';
import type { PlayerHand, PlayerResults } from '../../lib/types.ts';
import { ResultsGraph } from '../../performance/results-graph.tsx';
import { useSession } from '../../session/session.ts';
import { Authorings } from './authorings.tsx';
import { BotVersions } from './bot-versions.tsx';
import { HeadToHeadPanel } from './head-to-head.tsx';
import { PlayerMatches } from './player-matches.tsx';
import './player.css';

const Statistics = lazyPart(async () => (await import('./statistics/statistics.tsx')).Statistics);

const VIEWS = [
  { id: 'results' as const, label: 'Results' },
  { id: 'statistics' as const, label: 'Statistics' },
];

/** Shows /players/:username; `?view=statistics` selects the second tab. */
export function PlayerPage() {
  const { username = '' } = useParams();
  const player = useQuery({
    queryKey: queryKeys.player(username),
    queryFn: ({ signal }) => api.get('/players/{username}', { params: { username }, signal }),
  });
  if (player.isPending) return <Loading text="Loading player..." />;
  if (player.isError && isApiError(player.error, 404)) return <UnknownPlayer />;
  if (player.data === undefined) {
    return (
      <Page title="Player">
        <LoadError what="the player" query={player} />
      </Page>
    );
  }
  return <PlayerView key={player.data.username} player={player.data} />;
}

function UnknownPlayer() {
  usePageTitle('Player not found');
  return (
    <Notice title="Player not found" code="404">
      <p>There is no player with this name. The account may have been deleted.</p>
      <ButtonLink to="/games">Go to Games</ButtonLink>
    </Notice>
  );
}

function PlayerView({ player }: { player: PlayerResults }) {
  const { username, matches, hands } = player;
  const [search, setSearch] = useSearchParams();
  const view = search.get('view') === 'statistics' ? 'statistics' : 'results';
  const select = (next: typeof view) =>
    setSearch(
      (before) => {
        const parameters = new URLSearchParams(before);
        if (next === 'results') parameters.delete('view');
        else parameters.set('view', next);
        return parameters;
      },
      { preventScrollReset: true },
    );
  const { user } = useSession();
  const [sums] = player.standings;
  const delta = sums?.delta ?? 0;
  return (
    <Page
      width="wide"
      title={
        <span className="name-whole player-title">
          <Name name={username} />
        </span>
      }
      tabTitle={username}
      lead="Results of this player's bot over all finished public matches."
      actions={
        <>
          <ButtonLink to={`/profile/${encodeURIComponent(username)}`} variant="ghost">
            Profile and scores
          </ButtonLink>
          {user?.is_verified && user.username !== username && (
            <ButtonLink to={challengePath(username)} variant="secondary">
              Challenge
            </ButtonLink>
          )}
        </>
      }
    >
      <Stats
        items={[
          { label: 'Matches', value: formatNumber(matches) },
          { label: 'Matches won', value: formatNumber(sums?.wins ?? 0) },
          { label: 'Hands', value: formatNumber(hands) },
          { label: 'Delta Money', value: <span className={deltaClass(delta)}>{formatDelta(delta)}</span> },
        ]}
      />
      {player.deletions_note && <p className="muted">{player.deletions_note}</p>}
      <Tabs label="Views of the player" tabs={VIEWS} selected={view} onSelect={select}>
        <div className="page-body">
          {view === 'results' ? (
            <Results player={player} />
          ) : (
            <Suspense fallback={<Loading text="Loading statistics..." />}>
              <Statistics username={username} />
            </Suspense>
          )}
        </div>
      </Tabs>
    </Page>
  );
}

function Results({ player }: { player: PlayerResults }) {
  const { username, matches, points } = player;
  const { user } = useSession();
  const mayReadVersions = user !== null && (user.admin || user.username === username);
  const [sums] = player.standings;
  return (
    <>
      {matches === 0 ? (
        <EmptyState
          title="No public match yet"
          text="The curve of results appears when the first public match of this player has finished."
        />
      ) : (
        <Panel title="Results over time">
          <ResultsGraph points={points} lines={[{ name: username, values: sums?.curve ?? [] }]} />
        </Panel>
      )}
      <RatingHistory username={username} />
      {matches > 0 && (
        <div className="columns">
          <PlayerHands username={username} kind="best" />
          <PlayerHands username={username} kind="worst" />
        </div>
      )}
      {matches > 0 && <HeadToHeadPanel username={username} />}
      <Authorings username={username} />
      {mayReadVersions && <BotVersions username={username} />}
      <PlayerMatches username={username} />
    </>
  );
}

const LIMIT = 5;
const TITLES = { best: 'Best hands', worst: 'Worst hands' } as const;

/** Lists the hands in which a player won or lost most, each with a link to its replay. */
function PlayerHands({ username, kind }: { username: string; kind: 'best' | 'worst' }) {
  const hands = useQuery({
    queryKey: [...queryKeys.player(username), 'hands', kind],
    queryFn: ({ signal }) =>
      api.get('/live/players/{username}/hands', { params: { username }, query: { kind, limit: LIMIT }, signal }),
  });
  const rows = hands.data?.hands ?? [];
  return (
    <Panel title={TITLES[kind]} flush>
      <QueryState what="the hands" query={hands} padded />
      {hands.isSuccess && rows.length === 0 && <EmptyState title="No such hand yet" />}
      {rows.length > 0 && <Table caption={TITLES[kind]} columns={COLUMNS} rows={rows} rowKey={(row) => row.game_id} />}
    </Panel>
  );
}

const COLUMNS: Column<PlayerHand>[] = [
  {
    label: 'Hand',
    cell: (row) => <Link to={`/replay/${encodeURIComponent(row.game_id)}`}>Hand #{row.hand_number}</Link>,
  },
  { label: 'Pot', align: 'end', cell: (row) => <span className="mono-number">{formatNumber(row.pot)}</span> },
  { label: 'Winning hand', cell: (row) => row.winning_hand ?? 'no showdown' },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) => <span className={`mono-number ${deltaClass(row.net)}`}>{formatDelta(row.net)}</span>,
  },
];
