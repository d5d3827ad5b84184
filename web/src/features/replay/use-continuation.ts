import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../lib/api.ts';
import { POLL_OWN_JOBS_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';

const NEXT_HAND_MS = 2_000;

export type Continuation = {
  /** Whether the replay starts to play at once, because the previous hand was played to its end. */
  autoStart: boolean;
  /** Must be called when autoplay has reached the end of the hand. */
  onPlayed: () => void;
  /** Whether the next hand is being waited for. */
  waiting: boolean;
};

/**
 * Continues a replay with the next hand while its match is in play: two seconds after the end of the hand, or as soon as the
 * next hand has been played. `nextPath` is null while there is no next hand.
 */
export function useContinuation(jobId: string, nextPath: string | null): Continuation {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [played, setPlayed] = useState(false);
  const status = useQuery({
    queryKey: queryKeys.job(jobId),
    queryFn: ({ signal }) => api.get('/sim/status/{id}', { params: { id: jobId }, signal }),
    enabled: jobId !== '',
    refetchInterval: (query) => (query.state.data?.job_status === 'Running' ? POLL_OWN_JOBS_MS : false),
  });
  const running = status.data?.job_status === 'Running';

  useEffect(() => {
    if (!played || !running) return;
    const timer = setInterval(() => {
      if (nextPath === null) void client.invalidateQueries({ queryKey: queryKeys.jobGames(jobId) });
      else void navigate(nextPath, { replace: true, state: { autoStart: true } });
    }, NEXT_HAND_MS);
    return () => clearInterval(timer);
  }, [played, running, nextPath, jobId, client, navigate]);

  const startsPlaying = typeof state === 'object' && state !== null && 'autoStart' in state;
  return { autoStart: startsPlaying, onPlayed: () => setPlayed(true), waiting: played && running };
}
