import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ActionBar } from './action-bar.tsx';
import { situationKey } from './analysis/situations.ts';
import { useAnalysis } from './analysis/use-analysis.ts';
import { formatChips } from './chips.ts';
import type { Game } from './game.ts';
import { ChancesPanel, NotesPanel, PotsPanel, ResultsPanel, StacksPanel } from './panels.tsx';
import { PokerTable } from './poker-table.tsx';
import { ModeSwitch, ReplayControls } from './replay-controls.tsx';
import { stateAt, verdictsAt } from './replay-state.ts';
import type { ReplayMode } from './table-state.ts';
import { useAutoplay, useReplayKeys } from './use-replay-controls.ts';
import { describeStep } from './words.ts';
import './replay-viewer.css';

const BAR_PX = 64;

export type ReplayPlace = { mode: ReplayMode; step: number };

type Props = {
  game: Game;
  /** Controlled by the page, which stores it in the URL. */
  place: ReplayPlace;
  onPlace: (place: ReplayPlace) => void;
  previousHand?: (() => void) | undefined;
  nextHand?: (() => void) | undefined;
  /** The page's own buttons, shown beside the toggles. */
  children?: ReactNode;
};

function useToggles() {
  const [showCards, setShowCards] = useState(true);
  const [showPots, setShowPots] = useState(true);
  const buttons = (
    <>
      <Button small variant="ghost" onClick={() => setShowCards(!showCards)}>
        {showCards ? 'Hide Cards' : 'Show Cards'}
      </Button>
      <Button small variant="ghost" onClick={() => setShowPots(!showPots)}>
        {showPots ? 'Hide Pots' : 'Show Pots'}
      </Button>
    </>
  );
  return { showCards, showPots, buttons };
}

function Blinds({ blinds }: { blinds: Game['blinds'] }) {
  if (blinds === null) return null;
  return (
    <p className="replay-blinds mono-number">
      <span>SB: {formatChips(blinds.small)}</span> <span>BB: {formatChips(blinds.big)}</span>
    </p>
  );
}

/** Returns a function that scrolls to the table on its first call if the table is not completely visible; later calls do nothing. */
function useTableInSight(main: React.RefObject<HTMLElement | null>) {
  const done = useRef(false);
  return () => {
    const element = main.current;
    if (done.current || element === null) return;
    done.current = true;
    if (element.getBoundingClientRect().bottom <= window.innerHeight) return;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fits = element.offsetHeight < window.innerHeight - BAR_PX;
    const target = fits ? element : (element.querySelector('.felt') ?? element);
    target.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' });
  };
}

/** Replays one hand: controls, table and side panels. */
export function ReplayViewer({ game, place, onPlace, previousHand, nextHand, children }: Props) {
  const { mode } = place;
  const state = useMemo(() => stateAt(game, mode, place.step), [game, mode, place.step]);
  const goTo = useCallback((step: number) => onPlace({ mode, step: Math.max(0, step) }), [mode, onPlace]);
  const autoplay = useAutoplay(state.step, state.steps, goTo);
  const { showCards, showPots, buttons } = useToggles();
  const { insights, known } = useAnalysis(game);
  const insight = insights.get(situationKey(game, state)) ?? null;
  const verdicts = verdictsAt(game, state);
  const main = useRef<HTMLDivElement>(null);
  const showTable = useTableInSight(main);
  const byHand = (step: number) => {
    showTable();
    autoplay.stop();
    goTo(Math.min(step, Math.max(0, state.steps - 1)));
  };
  useReplayKeys({
    previous: () => byHand(state.step - 1),
    next: () => byHand(state.step + 1),
    first: () => byHand(0),
    last: () => byHand(state.steps - 1),
    ...(previousHand ? { previousHand } : {}),
    ...(nextHand ? { nextHand } : {}),
  });

  return (
    <div className="replay">
      <div className="replay-top">
        <div className="cluster">
          <ModeSwitch
            mode={mode}
            onMode={(next) => {
              autoplay.stop();
              onPlace({ mode: next, step: 0 });
            }}
          />
          <Blinds blinds={game.blinds} />
        </div>
        <div className="cluster">
          {buttons}
          {children}
        </div>
      </div>
      <div className="replay-main" ref={main}>
        <ReplayControls game={game} state={state} autoplay={autoplay} onStep={byHand} />
        {state.steps === 0 && <p className="replay-empty">Nobody acted in this hand.</p>}
        {mode === 'action' && <ActionBar game={game} state={state} />}
        <p className="visually-hidden" role="status">
          {describeStep(
            game,
            state,
            insight?.seats.map((seat) => seat?.handName),
          )}
        </p>
        <PokerTable game={game} state={state} showCards={showCards} insight={insight} verdicts={verdicts} />
      </div>
      <aside className="replay-side" aria-label="Hand details">
        {state.over && <ResultsPanel game={game} state={state} />}
        <StacksPanel game={game} state={state} />
        {showPots && <PotsPanel game={game} state={state} />}
        {showCards && <ChancesPanel game={game} insight={insight} waiting={known && insight === null} />}
        <NotesPanel game={game} verdicts={verdicts} />
      </aside>
    </div>
  );
}
