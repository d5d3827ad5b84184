import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Panel, Stats, usePageTitle } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PlayerResults } from '../../lib/types.ts';
import { ResultsGraph } from '../../performance/results-graph.tsx';
import { useSession } from '../../session/session.ts';
import { BotVersions } from './bot-versions.tsx';
import { HeadToHeadPanel } from './head-to-head.tsx';
import { PlayerHands } from './player-hands.tsx';
import { PlayerMatches } from './player-matches.tsx';
import './player.css';

/** /players/:username */
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
        <ErrorBox
          text={`Failed to load the player. ${messageOf(player.error)}`}
          onRetry={() => void player.refetch()}
        />
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
  const { username, matches, hands, points } = player;
  const { user } = useSession();
  const mayReadVersions = user !== null && (user.admin || user.username === username);
  const [sums] = player.standings;
  const delta = sums?.delta ?? 0;
  return (
    <Page
      width="wide"
      title={<bdi className="wrap-name">{username}</bdi>}
      tabTitle={username}
      lead="Results of this player's bot over all finished public matches."
      actions={
        <ButtonLink to={`/profile/${encodeURIComponent(username)}`} variant="ghost">
          Profile and scores
        </ButtonLink>
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
      {matches > 0 && (
        <div className="columns">
          <PlayerHands username={username} kind="best" />
          <PlayerHands username={username} kind="worst" />
        </div>
      )}
      {matches > 0 && <HeadToHeadPanel username={username} />}
      {mayReadVersions && <BotVersions username={username} />}
      <PlayerMatches username={username} />
    </Page>
  );
}
