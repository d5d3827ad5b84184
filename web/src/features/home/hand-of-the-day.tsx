import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { retryImport } from '../../lib/retry-import.ts';
import { useSeen } from '../../lib/visible.ts';

const SilentReplay = lazy(async () => ({
  default: (await retryImport(() => import('./silent-replay.tsx'))).SilentReplay,
}));

/** Replays the public hand with the largest swing of equity times pot, in place and without sound. */
export function HandOfTheDay() {
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const hand = useQuery({
    queryKey: queryKeys.handOfTheDay,
    queryFn: ({ signal }) => api.get('/live/hand-of-the-day', { signal }),
    staleTime: 60_000,
    retry: false,
  });
  const { data } = hand;
  const none = hand.isError && isApiError(hand.error, 404);
  return (
    <div ref={box} id="hand-of-the-day" className="home-hand">
      <Panel
        title="Hand of the day"
        actions={
          data && <ButtonLink to={`/replay/${encodeURIComponent(data.game_id)}`}>Replay it step by step</ButtonLink>
        }
      >
        {hand.isPending && <Loading inline text="Loading hand..." />}
        {none && (
          <EmptyState
            title="No hand of the day yet"
            text="It appears after the first public match with an all-in or a showdown."
          />
        )}
        {hand.isError && !none && (
          <ErrorBox text="Failed to load the hand of the day." onRetry={() => void hand.refetch()} />
        )}
        {data && (
          <>
            <p className="home-hand-sentence">
              <bdi>{data.sentence}</bdi> <span className="muted">{formatTime(data.played_at)}</span>
            </p>
            {seen ? (
              <Suspense fallback={<div className="home-table-place" />}>
                <SilentReplay key={data.game_id} gameId={data.game_id} />
              </Suspense>
            ) : (
              <div className="home-table-place" />
            )}
          </>
        )}
      </Panel>
    </div>
  );
}
