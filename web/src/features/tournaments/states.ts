import type { Tournament } from '../../lib/types.ts';

type State = Tournament['state'];

export const stateWord: Readonly<Record<State, string>> = {
  open: 'Entries open',
  frozen: 'Entries frozen',
  running: 'Playing',
  paused: 'Paused',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

export const stateColor = {
  open: 'cyan',
  frozen: 'accent',
  running: 'green',
  paused: 'yellow',
  finished: 'grey',
  cancelled: 'red',
} as const satisfies Record<State, string>;

/** Returns a span of time in its two largest units: 3 d 4 h, 5 min 10 s. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
