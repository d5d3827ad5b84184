import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { jobPath, jobTitle } from '../../lib/matches.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import { lazyPart } from '../../lib/retry-import.ts';
import type { LiveNow as Now } from '../../lib/types.ts';
import { useAtRest, useSeen } from '../../lib/visible.ts';

const MatchBroadcast = lazyPart(async () => (await import('../../broadcast/match-broadcast.tsx')).MatchBroadcast);
const Exhibition = lazyPart(async () => (await import('../../broadcast/exhibition.tsx')).Exhibition);

/** Returns the match to show: the most watched one in play, else the newest finished one, but not `ended` if there is another. */
export function matchToShow({ running, finished }: Now, ended: string | null) {
  const inPlay = running.filter(({ job_id: id }) => id !== ended).sort((a, b) => b.watchers - a.watchers)[0];
  if (inPlay !== undefined) return { match: inPlay, running: true };
  const played = finished.filter(({ status }) => status === 'Finished');
  const match = played.find(({ job_id: id }) => id !== ended) ?? played[0];
  return match === undefined ? null : { match, running: false };
}

/** Shows a match in play, else the last one, else the house bots: silently and without controls. */
export function LiveNow() {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const atRest = useAtRest();
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
        <Shown now={now.data} seen={seen && atRest} />
      )}
    </div>
  );
}

type On = { shown: ReturnType<typeof matchToShow>; turn: number };

function Shown({ now, seen }: { now: Now; seen: boolean }) {
  // A match stays until its end, also when another one gets more watchers.
  const [on, setOn] = useState<On>(() => ({ shown: matchToShow(now, null), turn: 0 }));
  const { shown, turn } = on;
  const first = shown === null ? matchToShow(now, null) : null;
  if (first !== null) setOn({ shown: first, turn: turn + 1 });
  const onEnd = () => setOn({ shown: matchToShow(now, shown?.match.job_id ?? null), turn: turn + 1 });
  const title = shown === null ? 'Exhibition' : shown.running ? 'Live now' : 'Last match';
  return (
    <Panel
      title={title}
      actions={
        <>
          <Link to="/tv">Watch on TV</Link>
          {now.running.length > 1 && <Link to="/games?status=Running">All {now.running.length} matches in play</Link>}
        </>
      }
    >
      <Suspense fallback={<div className="home-table-place" />}>
        {!seen ? (
          <div className="home-table-place muted">The table opens in a moment.</div>
        ) : shown === null ? (
          <Exhibition key={turn} kind="small" onEnd={onEnd} />
        ) : (
          <MatchBroadcast
            key={turn}
            jobId={shown.match.job_id}
            running={shown.running}
            kind="small"
            title={<Link to={jobPath(shown.match)}>{jobTitle(shown.match)}</Link>}
            onEnd={onEnd}
          />
        )}
      </Suspense>
    </Panel>
  );
}
