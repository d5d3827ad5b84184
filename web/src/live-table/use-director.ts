import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../lib/api.ts';
import { isApiError } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { Game } from '../table/game.ts';
import { parseGame } from '../table/parse-game.ts';
import { runDirector, type Settings, type Shown } from './director.ts';
import { pause } from './follow-stream.ts';
import type { LiveJob } from './live-merge.ts';

const KEEP_MS = 60_000;

/** State of the table. `skipped`: the last hand that could not be shown. `finished`: all hands were shown. */
export type DirectorState = {
  shown: Shown | null;
  skipped: number | null;
  finished: boolean;
  /** Status of the response that refused a hand, when the match has become private or was deleted. */
  refusal: number | null;
};

const NOTHING: DirectorState = { shown: null, skipped: null, finished: false, refusal: null };

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

/** Shows the hands of a stream on the table according to the settings. Loads only hands that will be shown. */
export function useDirector(jobId: string, job: LiveJob, settings: Settings): DirectorState {
  const client = useQueryClient();
  const [director, setDirector] = useState(NOTHING);
  const latest = useRef({ job, settings });
  latest.current = { job, settings };
  const [notifier] = useState(createNotifier);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of job or settings wakes the director
  useEffect(() => notifier.notify(), [notifier, job, settings]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another match starts another director
  useEffect(() => {
    const stop = new AbortController();
    setDirector(NOTHING);
    const load = async (gameId: string): Promise<Game | null> => {
      try {
        const response = await client.fetchQuery({
          queryKey: queryKeys.game(gameId),
          queryFn: ({ signal }) => api.get('/live/game/{id}', { params: { id: gameId }, signal }),
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: KEEP_MS,
          retry: (failures, error) => failures < 1 && !isApiError(error, 403, 404),
        });
        const parsed = parseGame(response.game_data);
        return parsed.ok ? parsed.game : null;
      } catch (error) {
        // In a match that runs, 404 is a hand of an earlier attempt.
        const deleted = latest.current.job.ended !== null && isApiError(error, 404);
        if (deleted || isApiError(error, 403)) {
          setDirector({ ...NOTHING, refusal: error.status });
          stop.abort();
        }
        return null;
      }
    };
    void runDirector({
      source: () => latest.current,
      load,
      show: (shown) => setDirector({ ...NOTHING, shown }),
      skip: (hand) => setDirector((before) => ({ ...before, skipped: hand })),
      finish: () => setDirector((before) => (before.finished ? before : { ...before, finished: true })),
      wait: pause,
      changed: notifier.next,
      signal: stop.signal,
    });
    return () => stop.abort();
  }, [client, notifier, jobId]);

  return director;
}
