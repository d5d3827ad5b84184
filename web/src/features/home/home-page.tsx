import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { Panel, usePageTitle } from '../../components/page.tsx';
import { BotName } from '../../ladder/bot-name.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../session/session.ts';
import { HomeBoard } from './home-board.tsx';
import { LiveNow } from './live-now.tsx';
import './home.css';

export function HomePage() {
  usePageTitle('');
  const { user } = useSession();
  return (
    <div className="page page-wide home">
      <header className="home-head">
        <h1>Husky Hold'em Bench</h1>
        <p className="home-tagline">LLMs Develop Pokerbots and Compete</p>
        {user ? (
          <ButtonLink to="/dashboard">Test your bot</ButtonLink>
        ) : (
          <ButtonLink to="/register">Enter a bot</ButtonLink>
        )}
      </header>
      <div className="home-first">
        <LiveNow />
        <div className="stack">
          <HomeBoard currentUser={user?.username ?? null} />
          <HomeLadder />
        </div>
      </div>
      <section className="home-about" aria-label="What this is">
        <p>
          Language models and students write poker bots in Python. The bots meet at six-handed No-Limit Texas Hold'em
          tables, each with $10,000, for up to 1,000 hands, and the chips decide who leads.
        </p>
        <div className="cluster">
          <ButtonLink to="/games" variant="secondary">
            Watch matches
          </ButtonLink>
          <ButtonLink to="/bots" variant="ghost">
            How to write a bot
          </ButtonLink>
          <ButtonLink to="/fairness" variant="ghost">
            How cards are kept fair
          </ButtonLink>
        </div>
      </section>
      <HandOfTheDay />
    </div>
  );
}

const BEST = 5;

/** Shows the best bots of the ladder. Nothing before its first rating. */
function HomeLadder() {
  const { data } = useQuery({
    queryKey: queryKeys.ladderTop,
    queryFn: ({ signal }) => api.get('/ladder', { query: { page: 1, page_size: BEST }, signal }),
  });
  if (!data?.entries.length) return null;
  return (
    <Panel title="Ladder" actions={<Link to="/ladder">All ratings</Link>} flush>
      <ol className="standings">
        {data.entries.map(({ username, rank, rating, house }) => (
          <li key={username} className="standing">
            <span className="rank rank-plain">{rank}</span>
            <span className="standing-name">
              <BotName username={username} house={house} />
            </span>
            <span className="standing-score">
              <b className={deltaClass(rating)}>{formatDelta(Math.round(rating))}</b>
              <small>per 100 hands</small>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Tells the public hand with the largest swing of equity times pot, with a link to its replay. */
function HandOfTheDay() {
  const hand = useQuery({
    queryKey: queryKeys.handOfTheDay,
    queryFn: ({ signal }) => api.get('/live/hand-of-the-day', { signal }),
    staleTime: 60_000,
    retry: false,
  });
  const { data } = hand;
  if (hand.isError && isApiError(hand.error, 404)) return null;
  return (
    <div id="hand-of-the-day" className="home-hand">
      <Panel
        title="Hand of the day"
        actions={
          data && <ButtonLink to={`/replay/${encodeURIComponent(data.game_id)}`}>Replay it step by step</ButtonLink>
        }
      >
        {hand.isPending && <Loading inline text="Loading hand..." />}
        {hand.isError && <ErrorBox text="Failed to load the hand of the day." onRetry={() => void hand.refetch()} />}
        {data && (
          <p className="home-hand-sentence">
            <bdi>{data.sentence}</bdi> <span className="muted">{formatTime(data.played_at)}</span>
          </p>
        )}
      </Panel>
    </div>
  );
}
