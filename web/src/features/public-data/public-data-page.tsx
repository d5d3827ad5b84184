import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CodeView } from '../../components/code-view.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataExports } from '../../components/data-exports.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';

const SCRIPT = '/download-public-data.py';

type Call = { path: string; what: ReactNode };

const CALLS: Call[] = [
  { path: '/live/public-job-ids/paginated?page=1&page_size=500', what: 'All public matches: ids, players, start.' },
  { path: '/sim/status/{match}', what: 'One match: players, state, final Delta Money of each.' },
  { path: '/live/job/{match}/games/paginated?page=1&page_size=500', what: 'The hands of a match, in order.' },
  { path: '/live/game/{hand}', what: 'One hand: cards, actions, pots, money. The same file as Get Raw Log.' },
  { path: '/live/job/{match}/download?format=jsonl', what: 'All hands of a match in one file: jsonl, phh or csv.' },
  { path: '/batches/{number}/download?format=jsonl', what: 'All matches of a batch: a zip archive of such files.' },
  { path: '/live/exports/{export}/download', what: 'An export of a batch or a period: Parquet and PHH.' },
  { path: '/live/job/{match}/user-performance', what: "Each player's cumulative Delta Money after every hand." },
  { path: '/live/job/{match}/seed', what: 'The seed of the decks and its commitment, once the match has finished.' },
  { path: '/leaderboard/top/1000?tag=2025', what: 'A leaderboard; without a tag, the entries of all tags.' },
  { path: '/ladder/ratings.csv', what: 'The ladder.' },
  { path: '/ladder/sets.csv', what: 'The sets from which its ratings follow.' },
  { path: '/profile/{username}', what: "A user's public profile and scores." },
];

const COLUMNS: Column<Call>[] = [
  { label: 'GET', cell: (call) => <code className="data-call">{call.path}</code> },
  { label: 'Answer', cell: (call) => call.what },
];

/** Lists the public data and how to download it, at /data. */
export function PublicDataPage() {
  const { origin } = window.location;
  const download = `curl -O ${origin}${SCRIPT}\npython3 ${SCRIPT.slice(1)} ${origin} husky-holdem-data`;
  return (
    <Page title="Public Data" lead="Every public match, hand by hand, to download without an account.">
      <Amounts />
      <Panel title="Download all of it" actions={<CopyButton text={download} label="Copy commands" />}>
        <div className="prose stack">
          <p>
            A Python script without dependencies fetches all public matches, one folder a match, one JSON file a hand.
            When you run it again, it fetches only new matches.
          </p>
          <CodeView text={download} label="Commands" />
          <p>
            <a href={SCRIPT} download>
              download-public-data.py
            </a>{' '}
            takes the ids of matches after the folder, to download only those. For a single match or batch, use the
            buttons under Download on its page: JSON lines, PHH (for PokerKit) or CSV. For a single hand, use Get Raw
            Log in its replay. Start at <Link to="/games">Games</Link>. <Link to="/upload-replay">Upload Replay</Link>{' '}
            plays the files.
          </p>
        </div>
      </Panel>
      <DataExports of="periods" />
      <Panel title="The calls behind it" flush>
        <Table caption="Calls for public data" columns={COLUMNS} rows={CALLS} rowKey={(call) => call.path} />
        <p className="panel-body">
          All but the downloads return JSON; none needs a token. Full description: <a href="/docs">readable</a>,{' '}
          <a href="/openapi.json">OpenAPI</a>. Responses state their rate limits in the header <code>RateLimit</code>.
        </p>
      </Panel>
      <Panel title="A hand's file">
        <div className="prose">
          <p>
            <code>game_data</code> has <code>rounds</code> (0 before the flop to 3, the river) with{' '}
            <code>action_sequence</code>: player, action, chips put in, pots afterwards. The first actions are the
            blinds, of which <code>smallBlindSeat</code> and <code>bigBlindSeat</code> name the seats.{' '}
            <code>playerHands</code> are the hole cards, <code>finalBoard</code> the board, <code>playerMoney</code> the
            money before and after. Seats count from 0 in player, bets and names, from 1 in playerMoney and
            eligible_players; <code>playerIdToUsername</code> names the latter.
          </p>
        </div>
      </Panel>
      <Panel title="What is not public">
        <div className="prose">
          <p>
            Private matches (test runs are always private), the code and output of bots, submissions and e-mail
            addresses. The players of a public match are public.
          </p>
        </div>
      </Panel>
    </Page>
  );
}

function Amounts() {
  const first = useQuery({
    queryKey: [...queryKeys.publicJobs, 'amounts'],
    queryFn: ({ signal }) => api.get('/live/public-job-ids/paginated', { query: { page: 1, page_size: 1 }, signal }),
  });
  const count = (value: number | undefined) => (value === undefined ? '—' : formatNumber(value));
  return (
    <Stats
      items={[
        { label: 'Public matches', value: count(first.data?.total_count) },
        { label: 'Hands in them', value: count(first.data?.total_games) },
        { label: 'Players in them', value: count(first.data?.total_players) },
      ]}
    />
  );
}
