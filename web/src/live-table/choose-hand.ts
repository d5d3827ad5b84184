import type { Game } from '../table/game.ts';
import { statesOf } from '../table/replay-state.ts';
import type { TableState } from '../table/table-state.ts';
import type { LiveHand, LiveJob } from './live-merge.ts';

/**
 * Pace of the live table. 'live' stays at the newest hands: it shows each hand of a slow match and a sample of the hands of a fast one.
 * A number shows every hand in order, at that multiple of the normal speed.
 */
export type Pace = 'live' | 0.5 | 1 | 2 | 4 | 8 | 16;

export type Choice = {
  pace: Pace;
  mattersOnly: boolean;
  /** Shows only the ten biggest hands of a match that has ended, in order. */
  biggestOnly?: boolean;
};

/** Maximum number of hands that are loaded ahead, and that the table is behind the match at the pace 'live'. */
export const BUFFER_HANDS = 3;
/** Minimum time for which a hand is shown at the pace 'live'. */
const MIN_HAND_MS = 420;

const BIGGEST_HANDS = 10;
const RECENT_MS = 4_000;
/** A pot is big from this share of all chips. */
const BIG_POT_SHARE = 0.1;

/** Returns whether a hand matters: a player was all-in or eliminated, there was a showdown, or the pot was big. */
export function matters(hand: LiveHand, chipsInPlay: number): boolean {
  const big = chipsInPlay > 0 && hand.pot >= BIG_POT_SHARE * chipsInPlay;
  return hand.allIn || hand.showdown || hand.out.length > 0 || big;
}

/** Returns whether every hand can be shown at this speed of the match. */
export function showsEach(handsPerSecond: number): boolean {
  return handsPerSecond * MIN_HAND_MS <= 1000;
}

/** Returns all chips on the table, or 0 while they are unknown. */
export function chipsInPlay(job: LiveJob): number {
  return (job.progress?.startingStack ?? 0) * job.series.size;
}

const rank = (hand: LiveHand) => [hand.out.length, hand.allIn ? 1 : 0, hand.pot] as const;

/** Compares two hands for sorting: eliminations, then all-ins, then pots, the largest first. */
function byRank(a: LiveHand, b: LiveHand): number {
  const [ours, theirs] = [rank(a), rank(b)];
  const at = ours.findIndex((value, index) => value !== theirs[index]);
  return (theirs[at] ?? 0) - (ours[at] ?? 0);
}

/** Returns the numbers of the hands with eliminations, all-ins and the largest pots, in order. */
function biggestHands(job: LiveJob): number[] {
  const numbered = job.hands.map((hand, index) => ({ hand, number: index + 1 }));
  const sorted = numbered.sort((a, b) => byRank(a.hand, b.hand));
  return sorted
    .slice(0, BIGGEST_HANDS)
    .map(({ number }) => number)
    .sort((a, b) => a - b);
}

/**
 * Returns the hands after `shown` of the last four seconds or slightly more. The range is the same for all watchers at about the
 * same time, so that they choose the same hand and the server can cache it.
 */
function recentHands(job: LiveJob, shown: number, speed: number): readonly LiveHand[] {
  const latest = job.hands.length;
  const enough = Math.max(BUFFER_HANDS, (speed * RECENT_MS) / 1000);
  for (let block = 2 ** Math.ceil(Math.log2(enough)); block >= BUFFER_HANDS; block /= 2) {
    const end = Math.floor(latest / block) * block;
    if (end > shown) return job.hands.slice(Math.max(shown, end - block), end);
  }
  return job.hands.slice(shown);
}

/**
 * Returns the numbers of the hands to show after hand `shown` (0: none), the next one first, at most BUFFER_HANDS; empty if
 * there is none yet. For a fast match at the pace 'live', this is one hand: the recent one with eliminations, an all-in or the
 * largest pot.
 */
export function nextHands(job: LiveJob, shown: number, { pace, mattersOnly, biggestOnly }: Choice): number[] {
  if (biggestOnly) {
    const biggest = job.ended === null ? [] : biggestHands(job);
    return biggest.filter((number) => number > shown).slice(0, BUFFER_HANDS);
  }
  const speed = job.progress?.handsPerSecond ?? 0;
  const latest = job.hands.length;
  const chips = chipsInPlay(job);
  const passes = (hand: LiveHand | undefined): hand is LiveHand =>
    hand !== undefined && (!mattersOnly || matters(hand, chips));
  const sampled = pace === 'live' && (!showsEach(speed) || mattersOnly);
  if (!sampled) {
    const first = Math.max(shown, pace === 'live' ? latest - BUFFER_HANDS : 0) + 1;
    const found: number[] = [];
    for (let number = first; number <= latest && found.length < BUFFER_HANDS; number += 1) {
      if (passes(job.hands[number - 1])) found.push(number);
    }
    return found;
  }
  const candidates = recentHands(job, shown, speed).filter(passes);
  const best = candidates.reduce<LiveHand | undefined>(
    (top, hand) => (top && byRank(top, hand) < 0 ? top : hand),
    undefined,
  );
  return best === undefined ? [] : [job.hands.indexOf(best) + 1];
}

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
