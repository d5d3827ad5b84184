import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';

/** Tells the public hand with the largest swing of equity times pot, with a link to its replay. */
export function HandOfTheDay() {
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
