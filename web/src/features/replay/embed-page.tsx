import { useMemo, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { ErrorBox } from '../../components/feedback.tsx';
import { usePageTitle } from '../../components/page.tsx';
import type { GameResponse } from '../../lib/types.ts';
import { parseGame } from '../../table/parse-game.ts';
import { EmbeddedReplay } from '../../table/replay-viewer.tsx';
import './replay.css';
import { HandStatus, useHand } from '../../components/hand-status.tsx';
import { positionFrom, searchOf } from './position.ts';

function LoadedHand({ response, gameId }: { response: GameResponse; gameId: string }) {
  const [params] = useSearchParams();
  const [position, setPosition] = useState(() => positionFrom(params));
  const parsed = useMemo(() => parseGame(response.game_data), [response.game_data]);
  if (!parsed.ok) return <ErrorBox text={parsed.error}>{parsed.detail && <p>{parsed.detail}</p>}</ErrorBox>;
  const query = searchOf(position).toString();
  return (
    <EmbeddedReplay
      game={parsed.game}
      position={position}
      onPosition={setPosition}
      autoStart={params.get('autoplay') === '1'}
    >
      {/* Another tab: the frame belongs to another site. */}
      <a href={`/replay/${gameId}${query === '' ? '' : `?${query}`}`} target="_blank" rel="noopener">
        Hand #{response.game_uuid} on Husky Hold'em Bench
      </a>
    </EmbeddedReplay>
  );
}

/** Shows /embed/replay/:gameId: a replay for frames of other sites, without a session. ?step and ?mode set the start, ?autoplay=1 plays. */
export function EmbedPage() {
  const { gameId = '' } = useParams();
  const game = useHand(gameId);
  usePageTitle(game.data ? `Replay of hand #${game.data.game_uuid}` : 'Poker replay');
  return (
    <main className="embed">
      <h1 className="visually-hidden">Poker replay</h1>
      <HandStatus hand={game} />
      {game.data && <LoadedHand key={gameId} response={game.data} gameId={gameId} />}
    </main>
  );
}
