import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Panel } from '../../components/page.tsx';
import { BotName } from '../../ladder/bot-name.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';

const BEST = 5;

/** Shows the best bots of the ladder. Nothing before its first rating. */
export function HomeLadder() {
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
