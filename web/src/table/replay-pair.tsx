import { useState } from 'react';
import type { Game } from './game.ts';
import { PokerTable } from './poker-table.tsx';
import { ReplayControls } from './replay-controls.tsx';
import { stateAt, statesOf, verdictsAt } from './replay-state.ts';
import './replay-pair.css';
import './replay-viewer.css';
import { type ReplayPosition, useReplay } from './use-replay.ts';

export type PairedHand = { label: string; game: Game };

const stepsOf = ({ game }: PairedHand) => statesOf(game, 'action').length;

/** Replays two hands side by side, on a phone one below the other: one control steps both. The shorter one waits at its end. */
export function ReplayPair({ hands }: { hands: readonly [PairedHand, PairedHand] }) {
  const [position, setPosition] = useState<ReplayPosition>({ mode: 'action', step: 0 });
  const [first, second] = hands;
  const longer = stepsOf(first) < stepsOf(second) ? second : first;
  const replay = useReplay({ game: longer.game, position, onPosition: setPosition });
  return (
    <div className="replay-main" ref={replay.main}>
      <div className="replay-pair">
        {hands.map(({ label, game }) => {
          const state = game === replay.game ? replay.state : stateAt(game, 'action', position.step);
          return (
            <figure key={label}>
              <figcaption>{label}</figcaption>
              <PokerTable
                game={game}
                state={state}
                showCards
                insight={null}
                verdicts={verdictsAt(game, state)}
                announce={game === replay.game}
              />
            </figure>
          );
        })}
      </div>
      <ReplayControls replay={replay} />
    </div>
  );
}
