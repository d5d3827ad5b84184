import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { MatchCards } from '../../components/match-card.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { jobPath, jobTitle } from '../../lib/matches.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import { retryImport } from '../../lib/retry-import.ts';
import type { LiveNow as Now } from '../../lib/types.ts';
import { useSeen } from '../../lib/visible.ts';

const LiveTable = lazy(async () => ({
  default: (await retryImport(() => import('../../live-table/live-table.tsx'))).LiveTable,
}));

const LAST_RESULTS = 3;

/** Returns the first of the most watched matches. */
export function mostWatched<Match extends { watchers: number }>(matches: readonly Match[]): Match | undefined {
  return matches.reduce<Match | undefined>(
    (best, match) => (best === undefined || match.watchers > best.watchers ? match : best),
    undefined,
  );
}

/** Shows the most watched match in play on the table; without one, the last results. */
export function LiveNow() {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const now = useQuery({
    queryKey: queryKeys.liveNow,
    queryFn: ({ signal }) => api.get('/live/now', { signal }),
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  return (
    <div ref={box} className="home-live">
      {now.data === undefined ? (
        <Panel title="Live now">
          {now.isError ? (
            <ErrorBox text="Failed to load the matches in play." onRetry={() => void now.refetch()} />
          ) : (
            <Loading inline text="Loading matches..." />
          )}
        </Panel>
      ) : (
        <MatchInPlay now={now.data} seen={seen} />
      )}
    </div>
  );
}

function MatchInPlay({ now, seen }: { now: Now; seen: boolean }) {
  // The match on the table stays until its last hand was shown, also when another one gets more watchers.
  const [shownId, setShownId] = useState<string | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const candidates = now.running.filter(({ job_id: id }) => id !== ended);
  const known = [...now.running, ...now.finished].find(({ job_id: id }) => id === shownId && id !== ended);
  const match = known ?? mostWatched(candidates);
  if (match !== undefined && match.job_id !== shownId) setShownId(match.job_id);

  if (match === undefined) return <LastResults now={now} />;
  return (
    <Panel
      title="Live now"
      actions={
        <>
          <Link to="/tv">Watch on TV</Link>
          {now.running.length > 1 && <Link to="/games?status=Running">All {now.running.length} matches in play</Link>}
        </>
      }
    >
      {seen ? (
        <Suspense fallback={<div className="home-table-place" />}>
          <LiveTable
            key={match.job_id}
            jobId={match.job_id}
            title={<Link to={jobPath(match)}>{jobTitle(match)}</Link>}
            onEnd={() => setEnded(match.job_id)}
          />
        </Suspense>
      ) : (
        <div className="home-table-place" />
      )}
    </Panel>
  );
}

function LastResults({ now }: { now: Now }) {
  const results = now.finished.slice(0, LAST_RESULTS);
  return (
    <Panel title="Last results" actions={<Link to="/games">All matches</Link>}>
      <p className="muted home-idle">
        No public match is being played right now. A match appears here as soon as it starts.
      </p>
      {results.length === 0 ? (
        <EmptyState title="No public match yet" />
      ) : (
        <MatchCards
          matches={results.map((match) => ({
            ...match,
            hands: match.hands_done,
            first_game_created_at: match.started_at,
          }))}
        />
      )}
    </Panel>
  );
}
