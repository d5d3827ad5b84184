import { ActionBar } from './action-bar.tsx';
import { describeStep } from './descriptions.ts';
import { PokerTable } from './poker-table.tsx';
import { ReplayControls } from './replay-controls.tsx';
import type { Replay } from './use-replay.ts';
import './replay-viewer.css';

/** Shows controls, action bar and table of a replay. */
export function ReplayMain({ replay, showCards }: { replay: Replay; showCards: boolean }) {
  const { game, state, handNames, amounts } = replay;
  return (
    <div className="replay-main" ref={replay.main}>
      <ReplayControls replay={replay} />
      {state.steps === 0 && <p className="replay-empty">Nobody acted in this hand.</p>}
      {state.mode === 'action' && <ActionBar game={game} state={state} />}
      <p className="visually-hidden" role="status">
        {describeStep(game, state, handNames, amounts.chips)}
      </p>
      <PokerTable game={game} state={state} showCards={showCards} insight={replay.insight} verdicts={replay.verdicts} />
    </div>
  );
}
