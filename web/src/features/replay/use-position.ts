import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ReplayPosition } from '../../table/use-replay.ts';

const ADDRESS_DELAY_MS = 300;

/** Parses the position from the query: ?step= counts from 1, ?mode=results selects the results. */
export function positionFrom(params: URLSearchParams): ReplayPosition {
  const step = Number(params.get('step'));
  return {
    mode: params.get('mode') === 'results' ? 'round' : 'action',
    step: Number.isInteger(step) && step >= 1 ? step - 1 : 0,
  };
}

export function searchOf(position: ReplayPosition): URLSearchParams {
  const params = new URLSearchParams();
  if (position.mode === 'round') params.set('mode', 'results');
  if (position.step > 0) params.set('step', String(position.step + 1));
  return params;
}

/** Keeps the current position, mirrored in the URL. Debounced, so that scrubbing does not flood the history. */
export function usePosition(): [ReplayPosition, (position: ReplayPosition) => void] {
  const [params, setParams] = useSearchParams();
  const [position, setPosition] = useState(() => positionFrom(params));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const latest = useRef(setParams);
  latest.current = setParams;
  const change = useCallback((next: ReplayPosition) => {
    setPosition(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current(searchOf(next), { replace: true, preventScrollReset: true });
    }, ADDRESS_DELAY_MS);
  }, []);
  return [position, change];
}
