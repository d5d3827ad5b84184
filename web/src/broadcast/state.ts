import { formatNumber, formatTime } from '../lib/format.ts';
import { expectedHands } from './director.ts';
import type { OnAir } from './play.ts';
import type { BroadcastState } from './use-broadcast.ts';
import type { LiveView } from './use-live-job.ts';

const MINUTE_MS = 60_000;
const LIVE_MS = 5_000;
const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

type Facts = {
  view: LiveView;
  /** Status of the job, as the server gives it; absent where only the stream is known. */
  status?: string | undefined;
  queuePosition?: number | null | undefined;
  air?: BroadcastState;
  paused?: boolean;
  nowMs?: number;
};

/** The state of a match: its status for the badge, and the one sentence that is shown about it. */
export type MatchState = { status: string; sentence: string; refused: boolean };

/** Returns why no table can be shown; null if one can. */
function refusalOf({ view, air }: Facts): string | null {
  if (view.job.ended === 'Deleted') return 'This match was deleted.';
  const refusal = air?.refusal ?? view.refusal;
  if (view.state !== 'refused' && refusal === null) return null;
  if (refusal === 403) return 'This match is private.';
  if (refusal === 404) return 'This match was not found.';
  return 'The live stream is not available. Reload the page to try again.';
}

/** Returns when the hand on air was played: 'As played at 18:33, 2 minutes behind.' */
export function playedSentence({ game }: Pick<OnAir, 'game'>, nowMs: number): string {
  const playedMs = game.rounds[0]?.actions[0]?.timestampMs ?? null;
  if (playedMs === null) return '';
  const behindMs = nowMs - playedMs;
  const minutes = Math.floor(behindMs / MINUTE_MS);
  if (minutes >= 60) return `As played on ${formatTime(new Date(playedMs).toISOString())}.`;
  const seconds = Math.max(0, Math.round(behindMs / 1000));
  const behind = minutes < 1 ? `${seconds} seconds` : minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `As played at ${clock.format(playedMs)}, ${behindMs < LIVE_MS ? 'live' : `${behind} behind`}.`;
}

function sentenceOf({ view, status, queuePosition, air, paused, nowMs = 0 }: Facts): string {
  const { job, state } = view;
  const hands = formatNumber(job.hands.length);
  if (status === 'Pending' && job.attempt === null) {
    return queuePosition == null
      ? 'Waiting for a free runner.'
      : `Waiting for a free runner: place ${queuePosition} in the queue.`;
  }
  if (air?.away) return 'The server cannot be reached. The broadcast goes on when it is back.';
  if (job.ended === null && state === 'retrying') return 'Connection lost. Reconnecting...';
  if (job.ended === null && state === 'stalled') return 'The server has sent nothing for some seconds.';
  const onAir = air?.onAir ?? null;
  if (air?.finished) return `The match ended after ${hands} hands. All of the broadcast was shown.`;
  if (onAir === null) {
    if (job.hands.length > 0) return 'The first hand is being fetched.';
    if (job.ended !== null) return 'The match ended without a hand.';
    if (job.attempt === null && state === 'connecting') return 'Connecting...';
    return (job.attempt ?? 0) > 1
      ? 'The match was started again. Waiting for its first hand.'
      : 'Waiting for the first hand.';
  }
  const played = playedSentence(onAir, nowMs);
  return paused ? `Paused. ${played}`.trim() : played;
}

/**
 * Returns the state of a match from all that is known of it. The stream knows the end before the job's status does; what is on air is
 * told as what it is, a broadcast of hands that were played before.
 */
export function matchState(facts: Facts): MatchState {
  const { ended, progress, attempt } = facts.view.job;
  const streamed = ended ?? (attempt === null ? undefined : (progress?.status ?? 'Running'));
  const open = facts.status === undefined || facts.status === 'Pending' || facts.status === 'Running';
  const refusal = refusalOf(facts);
  return {
    status: (open ? streamed : undefined) ?? facts.status ?? 'Running',
    sentence: refusal ?? sentenceOf(facts),
    refused: refusal !== null,
  };
}

/** Returns how much of a match was played, and shown: of `total` hands. */
export function progressOf({ job }: LiveView, known: number): { played: number; shown: number; total: number } {
  const played = Math.max(job.hands.length, job.progress?.handsDone ?? 0);
  return { played, shown: Math.min(known, played), total: Math.max(1, played, expectedHands(job)) };
}
