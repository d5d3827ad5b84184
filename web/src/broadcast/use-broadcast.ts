import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../lib/api.ts';
import { isApiError } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { parseGame } from '../table/parse-game.ts';
import { pause } from './follow-stream.ts';
import type { LiveJob } from './live-merge.ts';
import { type Loaded, type OnAir, playBroadcast, type Settings } from './play.ts';

const KEEP_MS = 60_000;

/** State of a broadcast. `finished`: all of an ended match was shown; `away`: the server cannot be reached. */
export type BroadcastState = {
  onAir: OnAir | null;
  finished: boolean;
  away: boolean;
  /** Status of the response that refused a hand, when the match has become private or was deleted. */
  refusal: number | null;
};

const NOTHING: BroadcastState = { onAir: null, finished: false, away: false, refusal: null };

/** Returns `notify`, which resolves all pending waits, and `next`, which waits for the next `notify` or until its signal aborts. */
function createNotifier() {
  const waiting = new Set<() => void>();
  return {
    notify: () => {
      for (const wake of [...waiting]) wake();
    },
    next: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}

export type BroadcastInput = {
  job: LiveJob;
  settings: Settings;
  swings: ReadonlyMap<number, number>;
  /** Returns the log of a bundled hand; otherwise hands come from the server. */
  bundled?: ((gameId: string) => unknown) | undefined;
};

/** Puts a match on air. Loads only hands that are shown. `turn`: another value starts again. */
export function useBroadcast(turn: string, input: BroadcastInput): BroadcastState {
  const { job, settings, swings } = input;
  const client = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const latest = useRef(input);
  latest.current = input;
  const [notifier] = useState(createNotifier);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change wakes the player
  useEffect(() => notifier.notify(), [notifier, job, settings, swings]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn starts another player
  useEffect(() => {
    const stop = new AbortController();
    setState(NOTHING);
    const read = async (gameId: string): Promise<unknown> => {
      const { bundled } = latest.current;
      if (bundled !== undefined) return bundled(gameId);
      const response = await client.fetchQuery({
        queryKey: queryKeys.game(gameId),
        queryFn: ({ signal }) => api.get('/live/game/{id}', { params: { id: gameId }, signal }),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEEP_MS,
        retry: false,
      });
      return response.game_data;
    };
    const load = async (gameId: string): Promise<Loaded> => {
      try {
        const parsed = parseGame(await read(gameId));
        return parsed.ok ? parsed.game : 'gone';
      } catch (error) {
        if (!isApiError(error, 403, 404)) return 'away';
        // In a match that runs, 404 is a hand of an earlier attempt.
        if (error.status === 403 || latest.current.job.ended !== null) {
          setState({ ...NOTHING, refusal: error.status });
          stop.abort();
        }
        return 'gone';
      }
    };
    void playBroadcast({
      source: () => latest.current,
      load,
      show: (onAir) => setState({ ...NOTHING, onAir }),
      away: (away) => setState((before) => (before.away === away ? before : { ...before, away })),
      finish: () => setState((before) => (before.finished ? before : { ...before, finished: true })),
      wait: pause,
      changed: notifier.next,
      signal: stop.signal,
    });
    return () => stop.abort();
  }, [client, notifier, turn]);

  return state;
}
