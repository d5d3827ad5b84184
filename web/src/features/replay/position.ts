import type { ReplayPosition } from '../../table/use-replay.ts';

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
