import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { api } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { situationKey } from '../../table/analysis/situations.ts';
import { useAnalysis } from '../../table/analysis/use-analysis.ts';
import type { Game } from '../../table/game.ts';
import { parseGame } from '../../table/parse-game.ts';
import { PokerTable } from '../../table/poker-table.tsx';
import { stateAt, verdictsAt } from '../../table/replay-state.ts';

const STEP_MS = 1_100;
/** How long the end of the hand stays before the hand starts again. */
const END_MS = 7_000;

/** Replays a hand on the table in a loop. With reduced motion it shows the end of the hand until the user plays it. */
export function SilentReplay({ gameId }: { gameId: string }) {
  const hand = useQuery({
    queryKey: queryKeys.game(gameId),
    queryFn: ({ signal }) => api.get('/live/game/{id}', { params: { id: gameId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const parsed = useMemo(() => (hand.data === undefined ? null : parseGame(hand.data.game_data)), [hand.data]);
  if (hand.isError || parsed?.ok === false) {
    return <ErrorBox text="The hand could not be loaded. It may have been made private or deleted." />;
  }
  return parsed === null ? <div className="home-table-place" /> : <LoopedTable game={parsed.game} />;
}

function LoopedTable({ game }: { game: Game }) {
  const [playing, setPlaying] = useState(() => !window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [step, setStep] = useState(playing ? 0 : Number.MAX_SAFE_INTEGER);
  const state = stateAt(game, 'action', step);
  const { insights } = useAnalysis(game);
  const last = state.steps - 1;
  const atEnd = state.step >= last;

  useEffect(() => {
    if (!playing || last <= 0) return;
    const timer = setTimeout(() => setStep(atEnd ? 0 : state.step + 1), atEnd ? END_MS : STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, atEnd, last, state.step]);

  const toggle = () => {
    if (!playing && atEnd) setStep(0);
    setPlaying(!playing);
  };
  return (
    <div className="home-table-place">
      <PokerTable
        game={game}
        state={state}
        showCards
        insight={insights.get(situationKey(game, state)) ?? null}
        verdicts={verdictsAt(game, state)}
      />
      <Button small variant="ghost" onClick={toggle} disabled={last <= 0}>
        {playing ? 'Pause' : 'Play'}
      </Button>
    </div>
  );
}
