import type { Game } from '../table/game.ts';
import { statesOf } from '../table/replay-state.ts';
import type { TableState } from '../table/table-state.ts';
import { type Item, type Length, type Position, programme, SKIP_MS, skipText, timeFor } from './director.ts';
import type { LiveJob } from './live-merge.ts';

/** What is on air: a step of a hand. */
export type OnAir = {
  hand: number;
  gameId: string;
  game: Game;
  state: TableState;
  /** The sentence about hands that are left out; the table keeps the hand before them. Null while a hand is shown. */
  skip: string | null;
  /** The last hand whose result may be known to the viewer. */
  known: number;
  /** Whether there is time to read hand names and win chances. */
  slow: boolean;
};

export type Settings = {
  length: Length;
  paused: boolean;
  reducedMotion: boolean;
  /** Incremented to go to the newest hand. */
  jump: number;
};

/** A hand, or why it cannot be shown now ('away': the server cannot be reached) or ever ('gone'). */
export type Loaded = Game | 'away' | 'gone';

export type PlayOptions = {
  source: () => { job: LiveJob; settings: Settings; swings: ReadonlyMap<number, number> };
  /** Loads a hand. Repeated calls for a hand share one request. */
  load: (gameId: string) => Promise<Loaded>;
  show: (onAir: OnAir) => void;
  /** Reports whether the server can be reached. */
  away: (isAway: boolean) => void;
  /** Reports that an ended match was shown to its end. */
  finish: () => void;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves at the next change of `source`. */
  changed: (signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
};

const AWAY_MS = 5_000;
const SLOW_HAND_MS = 2_500;
/** Shorter frames cannot be read. */
const MIN_FRAME_MS = 220;

/**
 * Returns the states of a hand with the time of each, which add up to `ms`: each action if there is time to read them, else each street,
 * else only the end. The end is shown longest.
 */
export function framesOf(game: Game, ms: number, reducedMotion: boolean): { state: TableState; ms: number }[] {
  const actions = statesOf(game, 'action');
  const holdMs = Math.min(3_000, ms * 0.35);
  for (const states of reducedMotion ? [] : [actions, statesOf(game, 'round')]) {
    const each = (ms - holdMs) / Math.max(1, states.length - 1);
    if (states.length < 2 || each < MIN_FRAME_MS) continue;
    return states.map((state) => ({ state, ms: state.over ? holdMs : each }));
  }
  return actions.slice(-1).map((state) => ({ state, ms }));
}

/**
 * Shows a match according to the director until `signal` aborts, then goes on with hands that are played meanwhile. Loads a hand when
 * it is shown or next. A new attempt, and a change of the length, make a new programme; the hand on air stays.
 */
export async function playBroadcast(options: PlayOptions): Promise<void> {
  const { source, load, signal, show } = options;
  let attempt: number | null = null;
  let { length, jump } = source().settings;
  let position: Position = { after: 0, leftMs: null };
  let last: OnAir | null = null;
  /** The last hand that was shown, or told in a sentence. */
  let told = 0;
  let begun = false;

  const interrupted = () => {
    const { job, settings } = source();
    return signal.aborted || settings.jump !== jump || job.attempt !== attempt;
  };
  /** Waits while the broadcast runs; a pause adds to it, and a jump or a new attempt ends it. */
  const hold = async (ms: number) => {
    const end = new AbortController();
    const open = AbortSignal.any([signal, end.signal]);
    const untilInterrupted = async () => {
      while (!interrupted() && !open.aborted) await options.changed(open);
    };
    await Promise.race([options.wait(ms, open), untilInterrupted()]);
    end.abort();
    while (!interrupted() && source().settings.paused) await options.changed(signal);
  };
  const loadUntilThere = async (gameId: string) => {
    for (;;) {
      const loaded = await load(gameId);
      options.away(loaded === 'away');
      if (loaded !== 'away' || interrupted()) return loaded;
      await hold(AWAY_MS);
    }
  };

  while (!signal.aborted) {
    const { job, settings, swings } = source();
    if (job.attempt !== attempt)
      [attempt, position, last, told, begun] = [job.attempt, { after: 0, leftMs: null }, null, 0, false];
    if (settings.jump !== jump) {
      jump = settings.jump;
      const after = Math.max(position.after, job.hands.length - 1);
      position = { after, leftMs: timeFor(job, length, after) };
    }
    if (!begun || settings.length !== length) {
      length = settings.length;
      position = { ...position, leftMs: timeFor(job, length, position.after) };
      begun = job.hands.length > 0;
    }
    const items: readonly Item[] = settings.paused && last !== null ? [] : programme(job, position, swings);
    const [item, following] = items;
    if (item === undefined) {
      if (job.ended !== null && !settings.paused) options.finish();
      await options.changed(signal);
      continue;
    }
    const gameId = job.hands[item.hand - 1]?.game_id ?? '';
    const game = await loadUntilThere(gameId);
    if (signal.aborted) return;
    if (interrupted()) continue;
    const spentMs = item.ms + (item.skip?.ms ?? 0);
    position = { after: item.hand, leftMs: position.leftMs === null ? null : Math.max(0, position.leftMs - spentMs) };
    if (typeof game === 'string') continue;
    if (following !== undefined) void load(job.hands[following.hand - 1]?.game_id ?? '');
    const slow = item.ms >= SLOW_HAND_MS;
    const frames = framesOf(game, item.ms, settings.reducedMotion);
    // Also hands that were jumped over or could not be shown.
    if (item.hand > told + 1) {
      // Before the first hand the table shows how that begins.
      const [first] = statesOf(game, 'action');
      const table = last ?? (first && { hand: item.hand, gameId, game, state: first, slow });
      if (table !== undefined) show({ ...table, skip: skipText(job, told + 1, item.hand - 1), known: item.hand - 1 });
      told = item.hand - 1;
      await hold(item.skip?.ms ?? SKIP_MS);
      if (interrupted()) continue;
    }
    told = item.hand;
    for (const { state, ms } of frames) {
      last = { hand: item.hand, gameId, game, state, skip: null, known: item.hand - (state.over ? 0 : 1), slow };
      show(last);
      await hold(ms);
      if (interrupted()) break;
    }
  }
}
