import type { Game } from '../table/game.ts';
import { BUFFER_HANDS, type Choice, type Frame, framesOf, nextHands, type Pace, showsEach } from './choose-hand.ts';
import type { LiveJob } from './live-merge.ts';

/** What the live table shows: one frame of a hand. */
export type Shown = {
  hand: number;
  gameId: string;
  game: Game;
  state: Frame['state'];
  /** Whether there is time to read hand names and win chances. */
  slow: boolean;
};

export type Settings = Choice & {
  paused: boolean;
  reducedMotion: boolean;
  /** Incremented to leave the hand on the table. */
  jump: number;
};

export type DirectorOptions = {
  source: () => { job: LiveJob; settings: Settings };
  /** Loads a hand; null if it cannot be shown. Repeated calls for a hand share one request. */
  load: (gameId: string) => Promise<Game | null>;
  show: (shown: Shown) => void;
  /** Reports a hand that could not be shown. */
  skip: (hand: number) => void;
  /** Reports that all hands of an ended match were shown. */
  finish: () => void;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves at the next change of `source`. */
  changed: (signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
};

const SLOW_HAND_MS = 2_500;
/** Pause after a hand that could not be loaded, because the server may be unreachable. */
const SKIP_MS = 1_000;

const speedOf = (pace: Pace): number => (pace === 'live' ? 1 : pace);

/** Shows the frames of a hand, until its end or until the settings skip it. */
async function play(hand: number, gameId: string, game: Game, options: DirectorOptions): Promise<void> {
  const { source, show, signal } = options;
  const { job, settings } = source();
  const { pace, reducedMotion, jump } = settings;
  const handsPerSecond = job.progress?.handsPerSecond ?? 0;
  const frames = framesOf(game, { pace, handsPerSecond, reducedMotion });
  const slow = frames.reduce((sum, frame) => sum + frame.ms, 0) >= SLOW_HAND_MS;
  const interrupted = () => {
    const now = source();
    return signal.aborted || now.settings.jump !== jump || now.job.attempt !== job.attempt;
  };
  for (const { state, ms } of frames) {
    show({ hand, gameId, game, state, slow });
    const end = new AbortController();
    const open = AbortSignal.any([signal, end.signal]);
    const untilInterrupted = async () => {
      while (!interrupted() && !open.aborted) await options.changed(open);
    };
    // A change of the speed applies from the next frame.
    await Promise.race([
      options.wait((ms * speedOf(pace)) / speedOf(source().settings.pace), open),
      untilInterrupted(),
    ]);
    end.abort();
    while (!interrupted() && source().settings.paused) await options.changed(signal);
    if (interrupted()) return;
  }
}

/**
 * Shows the hands of a match one after another until `signal` aborts. Loads a hand only when it will be shown, up to three
 * ahead. Never shows a hand twice within an attempt; a new attempt starts again.
 */
export async function runDirector(options: DirectorOptions): Promise<void> {
  const { source, load, signal } = options;
  let attempt: number | null = null;
  let shown = 0;
  while (!signal.aborted) {
    const { job, settings } = source();
    if (job.attempt !== attempt) {
      attempt = job.attempt;
      shown = 0;
    }
    const upcoming = settings.paused ? [] : nextHands(job, shown, settings);
    const [hand] = upcoming;
    if (hand === undefined) {
      if (job.ended !== null && !settings.paused) options.finish();
      await options.changed(signal);
      continue;
    }
    const inOrder = settings.pace !== 'live' || showsEach(job.progress?.handsPerSecond ?? 0);
    const [loading] = upcoming
      .slice(0, inOrder ? BUFFER_HANDS : 1)
      .map((number) => load(job.hands[number - 1]?.game_id ?? ''));
    const game = (await loading) ?? null;
    if (signal.aborted) return;
    shown = hand;
    if (source().job.attempt !== attempt) continue;
    if (game === null) {
      options.skip(hand);
      await options.wait(SKIP_MS, signal);
    } else await play(hand, job.hands[hand - 1]?.game_id ?? '', game, options);
  }
}
