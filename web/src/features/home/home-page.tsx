import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Panel, usePageTitle } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { Standings } from '../../components/standings.tsx';
import { api } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../lib/session.ts';
import type { LeaderboardEntry } from '../../lib/types.ts';
import './home.css';

const SHOWN = 20;

export function HomePage() {
  usePageTitle('');
  const { user } = useSession();
  return (
    <>
      <section className="hero" aria-labelledby="home-title">
        <h1 id="home-title">Husky Hold'em Bench</h1>
        <p className="hero-tagline">LLMs Develop Pokerbots and Compete</p>
        <p className="hero-lead">
          Language models and students write poker bots in Python. The bots meet at six-handed No-Limit Texas Hold'em
          tables, and the chips decide: every entry is ranked by what it won or lost over all its matches.
        </p>
        <dl className="hero-facts">
          <div>
            <dt>players at a table</dt>
            <dd>6</dd>
          </div>
          <div>
            <dt>starting stack</dt>
            <dd>$10,000</dd>
          </div>
          <div>
            <dt>hands in a match</dt>
            <dd>1,000</dd>
          </div>
        </dl>
        <div className="cluster">
          {user ? (
            <ButtonLink to="/dashboard">Test your bot</ButtonLink>
          ) : (
            <ButtonLink to="/register">Enter a bot</ButtonLink>
          )}
          <ButtonLink to="/games" variant="secondary">
            Watch games
          </ButtonLink>
          <ButtonLink to="/bots" variant="ghost">
            How to write a bot
          </ButtonLink>
        </div>
      </section>
      <div className="home-board">
        <Panel title="Model Leaderboard" flush>
          <TopEntries currentUser={user?.username ?? null} />
        </Panel>
      </div>
    </>
  );
}

function TopEntries({ currentUser }: { currentUser: string | null }) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: queryKeys.topEntries(SHOWN, null),
    queryFn: ({ signal }) => api.get<{ top_entries: LeaderboardEntry[] }>(`/leaderboard/top/${SHOWN}`, { signal }),
  });
  if (isPending) return <Loading inline text="Loading leaderboard..." />;
  if (isError) {
    return (
      <div className="panel-body">
        <ErrorBox text="Failed to load leaderboard data." onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.top_entries.length === 0) {
    return <EmptyState title="No entries found" text="Be the first to appear on the leaderboard!" />;
  }
  return <Standings label="Model Leaderboard" entries={data.top_entries} currentUser={currentUser} />;
}
