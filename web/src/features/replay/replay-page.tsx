import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { HandStatus, useHand } from '../../components/hand-status.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { shortId } from '../../lib/format.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import type { GameResponse, GameRow } from '../../lib/types.ts';
import { parseGame } from '../../table/parse-game.ts';
import { ReplayViewer } from '../../table/replay-viewer.tsx';
import type { ReplayPosition } from '../../table/use-replay.ts';
import { EmbedDialog } from './embed-dialog.tsx';
import { OwnBotPanel } from './own-bot-panel.tsx';
import { positionFrom, searchOf } from './position.ts';
import './replay.css';

type Neighbours = { previous: GameRow | null; next: GameRow | null };

/** Returns the hands before and after a hand by number; the list may have any order. */
export function neighboursOf(gameId: string, games: readonly GameRow[]): Neighbours {
  const sorted = [...games].sort((a, b) => Number(a.game_uuid) - Number(b.game_uuid));
  const at = sorted.findIndex((game) => game.game_id === gameId);
  if (at < 0) return { previous: null, next: null };
  return { previous: sorted[at - 1] ?? null, next: sorted[at + 1] ?? null };
}

function useNeighbours(gameId: string, jobId: string | undefined): Neighbours {
  const games = useQuery({
    queryKey: queryKeys.jobGames(jobId ?? ''),
    queryFn: ({ signal }) => api.get('/live/job/{id}/games', { params: { id: jobId ?? '' }, signal }),
    enabled: jobId !== undefined && jobId !== '',
  });
  return useMemo(() => neighboursOf(gameId, games.data?.games ?? []), [gameId, games.data]);
}

function useGoBack(jobId: string | undefined) {
  const navigate = useNavigate();
  return () => {
    // A replay opened directly has no history, so Back leads to its match.
    if (window.history.state?.idx > 0) void navigate(-1);
    else void navigate(jobId ? `/games/${jobId}` : '/games');
  };
}

function LoadedReplay({ response, gameId }: { response: GameResponse; gameId: string }) {
  const navigate = useNavigate();
  const [position, setPosition] = usePosition();
  const [embedding, setEmbedding] = useState(false);
  const parsed = useMemo(() => parseGame(response.game_data), [response.game_data]);
  const { previous, next } = useNeighbours(gameId, response.job_id);
  const { autoStart, onPlayed, waiting } = useContinuation(response.job_id, next && `/replay/${next.game_id}`);
  const open = (game: GameRow | null) => () => {
    if (game === null) return;
    // Replaces the history entry, so that Back leaves the replay even after several hands.
    void navigate(`/replay/${game.game_id}${position.mode === 'round' ? '?mode=results' : ''}`, { replace: true });
  };
  if (!parsed.ok) return <ErrorBox text={parsed.error}>{parsed.detail && <p>{parsed.detail}</p>}</ErrorBox>;
  const query = searchOf(position).toString();
  const link = `${window.location.origin}/replay/${gameId}${query === '' ? '' : `?${query}`}`;
  return (
    <ReplayViewer
      game={parsed.game}
      position={position}
      onPosition={setPosition}
      previousHand={previous ? open(previous) : undefined}
      nextHand={next ? open(next) : undefined}
      autoStart={autoStart}
      onPlayed={onPlayed}
      aside={(replay) => <OwnBotPanel replay={replay} jobId={response.job_id} hand={Number(response.game_uuid)} />}
    >
      {waiting && (
        <span className="muted" role="status">
          The match is in play: the next hand follows.
        </span>
      )}
      <CopyButton text={link} label="Copy link at this step" />
      <Button small variant="ghost" onClick={() => setEmbedding(true)}>
        Embed
      </Button>
      <EmbedDialog open={embedding} gameId={gameId} query={query} onClose={() => setEmbedding(false)} />
      <Button small variant="ghost" disabled={previous === null} onClick={open(previous)}>
        ‹ Previous hand
      </Button>
      <Button small variant="ghost" disabled={next === null} onClick={open(next)}>
        Next hand ›
      </Button>
    </ReplayViewer>
  );
}

/** Shows /replay/:gameId. */
export function ReplayPage() {
  const { gameId = '' } = useParams();
  const game = useHand(gameId);
  const back = useGoBack(game.data?.job_id);
  const hand = game.data?.game_uuid;

  return (
    <Page
      width="table"
      title={<span className="replay-title">POKER REPLAY</span>}
      tabTitle={hand ? `Replay of hand #${hand}` : 'Poker replay'}
      // One line from the start, so that the layout does not shift when the hand is loaded.
      lead={
        game.data ? (
          <span title={game.data.job_id}>
            Hand #{hand} of{' '}
            <Link to={`/games/${game.data.job_id}#game-${hand}`}>match {shortId(game.data.job_id)}</Link>
          </span>
        ) : (
          <span className="replay-lead-position" aria-hidden="true">
            Hand #000 of game 00000000…
          </span>
        )
      }
      actions={
        <Button variant="secondary" onClick={back}>
          Back
        </Button>
      }
    >
      <HandStatus hand={game} />
      {game.data && <LoadedReplay key={gameId} response={game.data} gameId={gameId} />}
    </Page>
  );
}

const ADDRESS_DELAY_MS = 300;

/** Keeps the current position, mirrored in the URL. Debounced, so that scrubbing does not flood the history. */
function usePosition(): [ReplayPosition, (position: ReplayPosition) => void] {
  const [params, setParams] = useSearchParams();
  const [position, setPosition] = useState(() => positionFrom(params));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const latest = useRef(setParams);
  latest.current = setParams;
  const change = useCallback((next: ReplayPosition) => {
    setPosition(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current(searchOf(next), { replace: true, preventScrollReset: true });
    }, ADDRESS_DELAY_MS);
  }, []);
  return [position, change];
}

const NEXT_HAND_MS = 2_000;

type Continuation = {
  /** Whether the replay starts to play at once, because the previous hand was played to its end. */
  autoStart: boolean;
  /** Must be called when autoplay has reached the end of the hand. */
  onPlayed: () => void;
  /** Whether the next hand is being waited for. */
  waiting: boolean;
};

/**
 * Continues a replay with the next hand while its match is in play: two seconds after the end of the hand, or as soon as the
 * next hand has been played. `nextPath` is null while there is no next hand.
 */
function useContinuation(jobId: string, nextPath: string | null): Continuation {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [played, setPlayed] = useState(false);
  const status = useQuery({
    queryKey: queryKeys.job(jobId),
    queryFn: ({ signal }) => api.get('/sim/status/{id}', { params: { id: jobId }, signal }),
    enabled: jobId !== '',
    refetchInterval: (query) => (query.state.data?.job_status === 'Running' ? POLL_OWN_JOBS_MS : false),
  });
  const running = status.data?.job_status === 'Running';

  useEffect(() => {
    if (!played || !running) return;
    const timer = setInterval(() => {
      if (nextPath === null) void client.invalidateQueries({ queryKey: queryKeys.jobGames(jobId) });
      else void navigate(nextPath, { replace: true, state: { autoStart: true } });
    }, NEXT_HAND_MS);
    return () => clearInterval(timer);
  }, [played, running, nextPath, jobId, client, navigate]);

  const startsPlaying = typeof state === 'object' && state !== null && 'autoStart' in state;
  return { autoStart: startsPlaying, onPlayed: () => setPlayed(true), waiting: played && running };
}
