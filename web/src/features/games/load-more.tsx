import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../lib/format.ts';

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

/** Shows how many of all matches are loaded. */
export function LoadedCount({ loaded, total = loaded }: { loaded: number; total?: number | undefined }) {
  return (
    <p className="muted" role="status">
      {formatNumber(loaded)} of {formatNumber(total)} matches
    </p>
  );
}
