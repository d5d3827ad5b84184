import type { Game } from '../table/game.ts';
import { statesOf } from '../table/replay-state.ts';
import type { TableState } from '../table/table-state.ts';
import { MIN_HAND_MS, type Pace, showsEach } from './choose-hand.ts';

/** One state of a hand and how long it is shown. */
export type Frame = { state: TableState; ms: number };

const STEP_MS = 700;
const HOLD_MS = 2_400;
const MAX_HAND_MS = 6_500;
/** Shorter frames cannot be read. */
const MIN_FRAME_MS = 220;
const REDUCED_MOTION_MS = 4_000;

export type Pacing = {
  pace: Pace;
  handsPerSecond: number;
  /** Whether the reader prefers reduced motion: only the end of each hand is shown. */
  reducedMotion: boolean;
};

function naturalMs(steps: number, speed: number): number {
  return Math.min(MAX_HAND_MS, steps * STEP_MS + HOLD_MS) / speed;
}

/** Returns how long a hand is shown, in ms. At the pace 'live', a slow match gives each hand the time until the next. */
export function handMs(steps: number, { pace, handsPerSecond, reducedMotion }: Pacing): number {
  if (pace !== 'live') return reducedMotion ? Math.max(REDUCED_MOTION_MS / pace, MIN_HAND_MS) : naturalMs(steps, pace);
  if (reducedMotion) return REDUCED_MOTION_MS;
  const natural = naturalMs(steps, 1);
  if (handsPerSecond <= 0 || !showsEach(handsPerSecond)) return natural;
  // Slightly faster than the match, so that the table does not fall behind.
  return Math.min(natural, Math.max(MIN_HAND_MS, 900 / handsPerSecond));
}

/**
 * Returns the frames of a hand: each action if there is time to read them, else each street, else only the end. The end is
 * shown longest.
 */
export function framesOf(game: Game, pacing: Pacing): Frame[] {
  const actions = statesOf(game, 'action');
  const total = handMs(actions.length, pacing);
  const holdMs = Math.min(HOLD_MS, total * 0.35);
  for (const states of pacing.reducedMotion ? [] : [actions, statesOf(game, 'round')]) {
    const ms = (total - holdMs) / Math.max(1, states.length - 1);
    if (states.length < 2 || ms < MIN_FRAME_MS || holdMs < MIN_HAND_MS) continue;
    return states.map((state) => ({ state, ms: state.over ? holdMs : ms }));
  }
  const end = actions.at(-1);
  return end === undefined ? [] : [{ state: end, ms: total }];
}
