import { Button } from '../../components/button.tsx';

type Props = { loading: boolean; hasMore: boolean; onMore: () => void };

export function LoadMore({ loading, hasMore, onMore }: Props) {
  if (!hasMore) return null;
  return (
    <div className="load-more">
      <Button variant="secondary" disabled={loading} onClick={onMore}>
        {loading ? 'Loading...' : 'Load more'}
      </Button>
    </div>
  );
}

/** A red dot and the word, on matches that run now. */
export function LiveMark() {
  return (
    <span className="live-mark">
      <span className="live-dot" aria-hidden="true" />
      LIVE
    </span>
  );
}
