import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { situationKey } from './analysis/situations.ts';
import { useAnalysis } from './analysis/use-analysis.ts';
import type { Game } from './game.ts';
import { usePreferences } from './preferences.ts';
import { stateAt, statesOf, verdictsAt } from './replay-state.ts';
import { useSound } from './sound.ts';
import type { ReplayMode } from './table-state.ts';
import { useAutoplay, useReplayKeys } from './use-replay-controls.ts';

export type ReplayPosition = { mode: ReplayMode; step: number };

export type ReplayOptions = {
  game: Game;
  /** Controlled by the page, which stores it in the URL. */
  position: ReplayPosition;
  onPosition: (position: ReplayPosition) => void;
  previousHand?: (() => void) | undefined;
  nextHand?: (() => void) | undefined;
  /** Starts playing at once. */
  autoStart?: boolean;
  /** Called when playing has reached the end of the hand. */
  onPlayed?: () => void;
};

/** Below this width the panels are below the table instead of beside it (replay-viewer.css). */
const ONE_COLUMN = '(max-width: 1180px)';

/** Returns the state of a replay on screen: position, autoplay, keys, sound and chances. `main` is the element with table and controls. */
export function useReplay({ game, position, onPosition, previousHand, nextHand, autoStart, onPlayed }: ReplayOptions) {
  const { mode } = position;
  const { sound } = usePreferences();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const main = useRef<HTMLDivElement>(null);
  const state = stateAt(game, mode, position.step);
  const goTo = useCallback((step: number) => onPosition({ mode, step: Math.max(0, step) }), [mode, onPosition]);
  const autoplay = useAutoplay(state.step, state.steps, goTo, onPlayed);
  useSound(state, sound);

  const { insights, known } = useAnalysis(game);
  const insight = insights.get(situationKey(game, state)) ?? null;
  const handNames = useMemo(() => {
    const end = statesOf(game, 'action').at(-1);
    return (end && insights.get(situationKey(game, end))?.seats.map((seat) => seat?.handName)) ?? [];
  }, [game, insights]);

  const stepTo = (step: number) => {
    autoplay.stop();
    goTo(Math.min(step, Math.max(0, state.steps - 1)));
  };
  useReplayKeys({
    previous: () => stepTo(state.step - 1),
    next: () => stepTo(state.step + 1),
    first: () => stepTo(0),
    last: () => stepTo(state.steps - 1),
    play: autoplay.toggle,
    help: () => setSettingsOpen(true),
    ...(previousHand ? { previousHand } : {}),
    ...(nextHand ? { nextHand } : {}),
  });
  const start = useRef(autoStart === true ? autoplay.toggle : null);
  useEffect(() => {
    start.current?.();
    start.current = null;
  }, []);

  return {
    game,
    state,
    main,
    insights,
    insight,
    handNames,
    settingsOpen,
    setSettingsOpen,
    stepTo,
    play: autoplay.toggle,
    playing: autoplay.playing,
    waiting: known && insight === null,
    verdicts: verdictsAt(game, state),
    changeMode: (next: ReplayMode) => {
      autoplay.stop();
      onPosition({ mode: next, step: 0 });
    },
    /** Goes to a step of the action mode from any mode. */
    goToAction: (step: number) => {
      // The line that was clicked is below the table there.
      if (window.matchMedia(ONE_COLUMN).matches) main.current?.scrollIntoView({ block: 'nearest' });
      autoplay.stop();
      onPosition({ mode: 'action', step });
    },
  };
}

export type Replay = ReturnType<typeof useReplay>;
