import { useLocation } from 'react-router';
import { type Cited, useCitation } from '../components/cite.tsx';
import { formatNumber, formatTime } from '../lib/format.ts';

/** Says whether a page that was opened by a cited address still shows the cited state. */
export function SnapshotStrip() {
  const { pathname, search } = useLocation();
  const snapshot = new URLSearchParams(search).get('snapshot');
  const [, kind, id = ''] = /^\/(batches|games)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (snapshot === null || kind === undefined) return null;
  return <Comparison of={kind === 'games' ? { match: id } : { batch: Number(id) }} snapshot={snapshot} />;
}

function Comparison({ of, snapshot }: { of: Cited; snapshot: string }) {
  const { data } = useCitation(of);
  if (data === undefined) return null;
  const { matches, newest_match_at: newest } = data;
  const cited = /^([1-9]\d{0,8})-[0-9a-f]{16}$/.exec(snapshot)?.[1];
  const now = `${formatNumber(matches)} ${matches === 1 ? 'match' : 'matches'}`;
  if (data.snapshot === snapshot) {
    return (
      <p className="strip strip-info">
        Cited state: {now}, {formatNumber(data.hands)} hands. Nothing has changed since.
      </p>
    );
  }
  return (
    <p className="strip strip-warning">
      {cited === undefined
        ? 'The address does not name a state of this data.'
        : `The data has changed since it was cited with ${formatNumber(Number(cited))} ${cited === '1' ? 'match' : 'matches'}.`}{' '}
      This page shows the present state: {now}, the newest from {formatTime(newest)}.
    </p>
  );
}
