import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { situationKey } from './analysis/situations.ts';
import { useAnalysis } from './analysis/use-analysis.ts';
import type { Game } from './game.ts';
import { useAmounts, usePreferences } from './preferences.ts';
import { stateAt, statesOf, verdictsAt } from './replay-state.ts';
import { useSound } from './sound.ts';
import type { ReplayMode } from './table-state.ts';
import { useAutoplay, useReplayKeys } from './use-replay-controls.ts';

const NAV_BAR_PX = 64;

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

/** Returns a function that scrolls to the table unless it is completely visible. It scrolls once, or on each call with `always`. */
function useScrollToTable(main: React.RefObject<HTMLElement | null>) {
  const done = useRef(false);
  return (always: boolean) => {
    const element = main.current;
    if ((done.current && !always) || element === null || document.fullscreenElement !== null) return;
    done.current = true;
    const felt = element.querySelector('.felt') ?? element;
    const { top, bottom } = felt.getBoundingClientRect();
    // The sticky controls cover what is behind them: above the table, on phones below it.
    const controls = element.querySelector('.replay-controls')?.getBoundingClientRect();
    const below = controls !== undefined && controls.top > top;
    const [from, to] = below ? [NAV_BAR_PX, controls.top] : [controls?.bottom ?? NAV_BAR_PX, window.innerHeight];
    if (top >= from && bottom <= to) return;
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fits = element.offsetHeight < window.innerHeight - NAV_BAR_PX;
    (fits ? element : felt).scrollIntoView({ block: 'start', behavior: reducedMotion ? 'auto' : 'smooth' });
  };
}

/** Returns the state of a replay on screen: position, autoplay, keys, sound and chances. `main` is the element with table and controls. */
export function useReplay({ game, position, onPosition, previousHand, nextHand, autoStart, onPlayed }: ReplayOptions) {
  const { mode } = position;
  const { sound } = usePreferences();
  const amounts = useAmounts(game);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const main = useRef<HTMLDivElement>(null);
  const state = stateAt(game, mode, position.step);
  const goTo = useCallback((step: number) => onPosition({ mode, step: Math.max(0, step) }), [mode, onPosition]);
  const autoplay = useAutoplay(state.step, state.steps, goTo, onPlayed);
  const showTable = useScrollToTable(main);
  useSound(state, sound);

  const { insights, known } = useAnalysis(game);
  const insight = insights.get(situationKey(game, state)) ?? null;
  const handNames = useMemo(() => {
    const end = statesOf(game, 'action').at(-1);
    return (end && insights.get(situationKey(game, end))?.seats.map((seat) => seat?.handName)) ?? [];
  }, [game, insights]);

  const stepTo = (step: number) => {
    showTable(false);
    autoplay.stop();
    goTo(Math.min(step, Math.max(0, state.steps - 1)));
  };
  const play = () => {
    if (!autoplay.playing) showTable(true);
    autoplay.toggle();
  };
  useReplayKeys({
    previous: () => stepTo(state.step - 1),
    next: () => stepTo(state.step + 1),
    first: () => stepTo(0),
    last: () => stepTo(state.steps - 1),
    play,
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
    amounts,
    insights,
    insight,
    handNames,
    settingsOpen,
    setSettingsOpen,
    stepTo,
    play,
    playing: autoplay.playing,
    waiting: known && insight === null,
    verdicts: verdictsAt(game, state),
    changeMode: (next: ReplayMode) => {
      autoplay.stop();
      onPosition({ mode: next, step: 0 });
    },
    /** Goes to a step of the action mode from any mode. */
    goToAction: (step: number) => {
      showTable(window.matchMedia(ONE_COLUMN).matches);
      autoplay.stop();
      onPosition({ mode: 'action', step });
    },
  };
}

export type Replay = ReturnType<typeof useReplay>;
