import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { LiveNow, MatchNow } from '../../lib/types.ts';
import { LiveTable } from '../../live-table/live-table.tsx';

const POLL_MS = 5_000;

/** Returns the match to show: the most watched one in play, else the newest finished one. `lastShown`: the match that was shown last. */
export function chooseMatch(now: LiveNow, lastShown: string | null): { match: MatchNow; live: boolean } | null {
  const others = now.running.filter((match) => match.job_id !== lastShown);
  const [watched] = [...others].sort((a, b) => b.watchers - a.watchers);
  if (watched !== undefined) return { match: watched, live: true };
  const [finished] = now.finished;
  return finished === undefined ? null : { match: finished, live: false };
}

/** Names a match: 'Batch #3 Game #17', or 'Match' without a batch. */
function nameOf({ batch_number: batch, game_number: game }: MatchNow): string {
  return batch === null ? 'Match' : `Batch #${batch} Game #${game}`;
}

function FullScreenButton() {
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const read = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', read);
    return () => document.removeEventListener('fullscreenchange', read);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (full ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <Button small variant="ghost" onClick={() => void toggle().catch(() => undefined)}>
      {full ? 'Leave full screen' : 'Full screen'}
    </Button>
  );
}

/** `lastEnded`: the last match in play that was shown to its end; the list may still name it. */
type Shown = { match: MatchNow; live: boolean; turn: number; lastEnded: string | null };

function TvTable({ now, refetch }: { now: LiveNow; refetch: () => void }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [ended, setEnded] = useState(false);
  const onEnd = useCallback(() => {
    setEnded(true);
    refetch();
  }, [refetch]);

  useEffect(() => {
    const lastEnded = ended && shown?.live ? shown.match.job_id : (shown?.lastEnded ?? null);
    const next = chooseMatch(now, lastEnded);
    // A match in play interrupts a replay; otherwise a match stays until its end.
    const interrupts = shown !== null && !shown.live && next?.live === true;
    if (next === null || !(shown === null || ended || interrupts)) return;
    setShown({ ...next, lastEnded, turn: (shown?.turn ?? 0) + 1 });
    setEnded(false);
  }, [now, ended, shown]);

  if (shown === null) {
    return (
      <p role="status">
        No public match has been played yet. <Link to="/bots">Write a bot</Link> to play the first one.
      </p>
    );
  }
  const { match, live, turn } = shown;
  return (
    <>
      {!live && <p role="status">No public match is in play. These are the biggest hands of the last one.</p>}
      <LiveTable
        key={`${match.job_id} ${turn}`}
        jobId={match.job_id}
        biggestOnly={!live}
        title={<Link to={`/games/${encodeURIComponent(match.job_id)}`}>{nameOf(match)}</Link>}
        onEnd={onEnd}
      />
    </>
  );
}

/** Shows /tv: the most watched matches in play, one after another, without the site's navigation. */
export function TvPage() {
  usePageTitle('TV');
  const now = useQuery({
    queryKey: queryKeys.liveNow,
    queryFn: ({ signal }) => api.get('/live/now', { signal }),
    refetchInterval: POLL_MS,
  });
  const { refetch } = now;
  const refresh = useCallback(() => void refetch(), [refetch]);
  return (
    <main className="tv" id="main">
      <header className="tv-head">
        <h1>
          <Link to="/">Husky Hold'em Bench</Link>
        </h1>
        <FullScreenButton />
      </header>
      {now.isPending && <Loading text="Loading matches..." />}
      {now.isError && <ErrorBox text="Failed to load the matches in play." onRetry={refresh} />}
      {now.data && <TvTable now={now.data} refetch={refresh} />}
    </main>
  );
}
