import { useEffect, useRef, useState } from 'react';
import type { StreetInsight } from '../table/analysis/analyse-hand.ts';
import { analysisInput, situationKey } from '../table/analysis/situations.ts';
import type { Game } from '../table/game.ts';
import { statesOf } from '../table/replay-state.ts';
import type { OnAir } from './play.ts';

type Found = { game: Game; byKey: ReadonlyMap<string, StreetInsight> };

/**
 * Returns hand names and win chances of the shown hand by situation key. One worker serves all hands, because its tables take
 * longer to build than a fast hand is shown. Of a fast hand, it analyses the end only.
 */
export function useInsights(onAir: OnAir | null): ReadonlyMap<string, StreetInsight> {
  const [found, setFound] = useState<Found | null>(null);
  const worker = useRef<Worker>(undefined);
  // The worker responds in the order of the requests, once for each situation.
  const requested = useRef<Game[]>([]);

  useEffect(() => {
    const started = new Worker(new URL('../table/analysis/analysis-worker.ts', import.meta.url), { type: 'module' });
    worker.current = started;
    requested.current = [];
    started.addEventListener('message', (event: MessageEvent<StreetInsight>) => {
      const game = requested.current.shift();
      if (game === undefined) return;
      setFound((before) => {
        const known = before?.game === game ? before.byKey : [];
        return { game, byKey: new Map(known).set(event.data.key, event.data) };
      });
    });
    return () => started.terminate();
  }, []);

  const game = onAir?.game ?? null;
  const slow = onAir?.slow ?? false;
  useEffect(() => {
    const input = game === null ? null : analysisInput(game);
    const end = game === null ? undefined : statesOf(game, 'action').at(-1);
    if (game === null || input === null || end === undefined) return;
    const endKey = situationKey(game, end);
    const situations = slow ? input.situations : input.situations.filter(({ key }) => key === endKey);
    requested.current.push(...situations.map(() => game));
    worker.current?.postMessage({ ...input, situations });
  }, [game, slow]);

  return found !== null && found.game === game ? found.byKey : new Map();
}
