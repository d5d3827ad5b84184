import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { isApiError } from '../lib/api-error.ts';
import { formatTime } from '../lib/format.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { ButtonLink } from './button.tsx';
import { ErrorBox, Loading } from './feedback.tsx';
import { Panel } from './page.tsx';
import './telling-hand.css';

/** Tells the public hand of the day, or of a batch, with the largest swing of equity times pot, with a link to its replay. Nothing without one. */
export function TellingHand({ title, batch }: { title: string; batch?: number }) {
  const hand = useQuery({
    queryKey: queryKeys.tellingHand(batch),
    queryFn: ({ signal }) =>
      api.get('/live/hand-of-the-day', { ...(batch !== undefined && { query: { batch: String(batch) } }), signal }),
    staleTime: 60_000,
    retry: false,
  });
  const { data } = hand;
  if (hand.isError && isApiError(hand.error, 404)) return null;
  return (
    <div {...(batch === undefined && { id: 'hand-of-the-day' })} className="telling-hand">
      <Panel
        title={title}
        actions={
          data && <ButtonLink to={`/replay/${encodeURIComponent(data.game_id)}`}>Replay it step by step</ButtonLink>
        }
      >
        {hand.isPending && <Loading inline text="Loading hand..." />}
        {hand.isError && <ErrorBox text="Failed to load the hand." onRetry={() => void hand.refetch()} />}
        {data && (
          <p className="telling-hand-sentence">
            <bdi>{data.sentence}</bdi> <span className="muted">{formatTime(data.played_at)}</span>
          </p>
        )}
      </Panel>
    </div>
  );
}
