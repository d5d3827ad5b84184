import { type ReactNode, type RefObject, useState } from 'react';
import { Button } from '../components/button.tsx';
import { formatChips } from './chips.ts';
import type { Game } from './game.ts';
import { NotationPanel } from './notation-panel.tsx';
import { ChancesPanel, NotesPanel, PotsPanel, ResultsPanel, StacksPanel } from './panels.tsx';
import { ModeSwitch, ReplayControls } from './replay-controls.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { type Replay, type ReplayOptions, useReplay } from './use-replay.ts';
import './replay-viewer.css';
import { PokerTable } from './poker-table.tsx';

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

/** Shows table and controls on the whole screen. Absent where the browser cannot do it (iPhones). */
export function FullScreenButton({ target }: { target: RefObject<HTMLElement | null> }) {
  if (!document.fullscreenEnabled) return null;
  return (
    <Button small variant="ghost" onClick={() => void target.current?.requestFullscreen()}>
      Full screen
    </Button>
  );
}

type Props = ReplayOptions & {
  /** The page's own buttons, shown beside the toggles. */
  children?: ReactNode;
  /** A panel of the page, beside the others. */
  aside?: (replay: Replay) => ReactNode;
};

/** Replays one hand: controls, table and side panels. */
export function ReplayViewer({ children, aside, ...options }: Props) {
  const replay = useReplay(options);
  const { game, state, insight, insights, verdicts } = replay;
  const { showCards, showPots, buttons } = useToggles();
  return (
    <div className="replay">
      <div className="replay-left">
        <ReplayMain replay={replay} showCards={showCards} />
        <div className="cluster spread">
          <div className="cluster">
            <ModeSwitch mode={state.mode} onMode={replay.changeMode} />
            <Blinds blinds={game.blinds} />
          </div>
          <div className="cluster">
            {buttons}
            <Button small variant="ghost" onClick={() => replay.setSettingsOpen(true)}>
              Settings
            </Button>
            <FullScreenButton target={replay.main} />
            {children}
          </div>
        </div>
        <NotationPanel
          game={game}
          state={state}
          handNames={replay.handNames}
          showCards={showCards}
          onStep={replay.goToAction}
        />
      </div>
      <aside className="replay-side" aria-label="Hand details">
        {state.over && <ResultsPanel game={game} state={state} />}
        <StacksPanel game={game} state={state} />
        {showCards && aside?.(replay)}
        {showPots && <PotsPanel game={game} state={state} />}
        {showCards && (
          <ChancesPanel game={game} state={state} insights={insights} insight={insight} waiting={replay.waiting} />
        )}
        <NotesPanel game={game} verdicts={verdicts} />
      </aside>
      <SettingsDialog open={replay.settingsOpen} onClose={() => replay.setSettingsOpen(false)} />
    </div>
  );
}

/** Shows table and controls only, for frames of other sites. `children` is the link back. */
export function EmbeddedReplay({ children, ...options }: Props) {
  const replay = useReplay(options);
  return (
    <>
      <ReplayMain replay={replay} showCards />
      <footer className="embed-foot cluster spread">
        {children}
        <Button small variant="ghost" onClick={() => replay.setSettingsOpen(true)}>
          Settings
        </Button>
      </footer>
      <SettingsDialog open={replay.settingsOpen} onClose={() => replay.setSettingsOpen(false)} />
    </>
  );
}

/** Shows the table of a replay and its controls below it. */
function ReplayMain({ replay, showCards }: { replay: Replay; showCards: boolean }) {
  const { game, state, insight, verdicts } = replay;
  return (
    <div className="replay-main" ref={replay.main}>
      <PokerTable game={game} state={state} showCards={showCards} insight={insight} verdicts={verdicts} announce />
      <ReplayControls replay={replay} />
    </div>
  );
}
