import { useEffect, useMemo, useState } from 'react';
import type { Game } from '../game.ts';
import type { StreetInsight } from './analyse-hand.ts';
import { analysisInput } from './situations.ts';

export type Analysis = { insights: ReadonlyMap<string, StreetInsight>; known: boolean };

/**
 * Returns hand names and win probabilities by situation key. A worker adds them as they are computed. `known` is false if the
 * cards are incomplete or inconsistent.
 */
export function useAnalysis(game: Game): Analysis {
  const input = useMemo(() => analysisInput(game), [game]);
  const [found, setFound] = useState<{ game: Game; insights: ReadonlyMap<string, StreetInsight> }>({
    game,
    insights: new Map(),
  });

  useEffect(() => {
    if (input === null) return;
    const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (event: MessageEvent<StreetInsight>) => {
      setFound((before) => ({
        game,
        insights: new Map(before.game === game ? before.insights : []).set(event.data.key, event.data),
      }));
    });
    worker.postMessage(input);
    return () => worker.terminate();
  }, [game, input]);

  return { insights: found.game === game ? found.insights : new Map(), known: input !== null };
}
