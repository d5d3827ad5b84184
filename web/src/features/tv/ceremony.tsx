import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Name } from '../../components/name.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { isRevealing } from '../../lib/tournament.ts';
import type { Tournament } from '../../lib/types.ts';
import { ceremonyOf, type Revealed, revealedPlaces } from './reveal.ts';

const LIST_MS = 5_000;
const REVEAL_MS = 1_000;
/** How long the champion stays on the screen. */
const CHAMPION_MS = 60_000;

/** Returns the tournament whose places are being revealed, and its champion for a minute; null: none. */
export function useCeremony(): Tournament | null {
  const list = useQuery({
    queryKey: queryKeys.tournaments,
    queryFn: ({ signal }) => api.get('/tournaments', { signal }),
    refetchInterval: LIST_MS,
  });
  const slug = list.data && ceremonyOf(list.data.tournaments, Date.now())?.slug;
  const { data = null } = useQuery({
    queryKey: queryKeys.tournament(slug ?? ''),
    queryFn: ({ signal }) => api.get('/tournaments/{slug}', { params: { slug: slug ?? '' }, signal }),
    enabled: slug !== undefined,
    refetchInterval: ({ state }) => (isRevealing(state.data) ? REVEAL_MS : LIST_MS),
  });
  const revealing = isRevealing(data);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (revealing) setOn(true);
    if (revealing || !isOn) return;
    const timer = setTimeout(setOn, CHAMPION_MS, false);
    return () => clearTimeout(timer);
  }, [revealing, isOn]);
  return revealing || isOn ? data : null;
}

/** Shows the places of a tournament's last stage as an admin reveals them, from the last one to the champion. */
export function Ceremony({ of: { slug, name, stages } }: { of: Tournament }) {
  const { standings = [], players = 0 } = stages.at(-1) ?? {};
  const places = revealedPlaces(standings);
  const left = players - standings.length;
  const [newest] = places;
  return (
    <section className="tv-result tv-ceremony" aria-label="Ceremony" aria-live="polite">
      <h2>
        <Link to={`/tournaments/${slug}`}>{name}</Link>
      </h2>
      {newest === undefined ? (
        <p>The places of {players} players are about to be revealed.</p>
      ) : (
        <p className={left === 0 ? 'tv-champion' : undefined}>
          {left === 0 ? 'Champion' : `Place ${newest.rank}`}: <Name name={newest.username} />
        </p>
      )}
      <ol>
        {places.map((one) => (
          <Place key={one.username} of={one} isNewest={one === newest} />
        ))}
      </ol>
      {newest !== undefined && left > 0 && <p>{left === 1 ? 'The champion is next.' : `${left} are left.`}</p>}
    </section>
  );
}

function Place({ of: { rank, username, delta, share }, isNewest }: { of: Revealed; isNewest: boolean }) {
  return (
    <li className={isNewest ? 'tv-newest' : undefined}>
      <b className="mono-number">{rank}.</b>
      <span>
        <Name name={username} />
        <span className={`tv-bar ${deltaClass(delta)}`} style={{ inlineSize: `${Math.max(1, 100 * share)}%` }} />
      </span>
      <b className={`mono-number ${deltaClass(delta)}`}>{formatDelta(delta)}</b>
    </li>
  );
}
