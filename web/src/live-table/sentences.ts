import { formatNumber } from '../lib/format.ts';
import { type Choice, showsEach } from './choose-hand.ts';
import type { DirectorState } from './use-director.ts';
import type { LiveView } from './use-live-job.ts';

/** Returns why no table can be shown; null if one can. */
export function refusalSentence({ job, state, refusal: ofStream }: LiveView, director: DirectorState): string | null {
  if (job.ended === 'Deleted') return 'This match was deleted.';
  const refusal = director.refusal ?? ofStream;
  if (state !== 'refused' && refusal === null) return null;
  if (refusal === 403) return 'This match is private.';
  if (refusal === 404) return 'This match was not found.';
  return 'The live stream is not available. Reload the page to try again.';
}

const hands = (count: number) => (count === 1 ? '1 hand' : `${formatNumber(count)} hands`);

function waitingSentence({ job, state }: LiveView, { mattersOnly }: Choice): string {
  if (job.ended !== null) return `The match has ended after ${hands(job.hands.length)}.`;
  if (job.attempt === null && state === 'connecting') return 'Connecting...';
  if (job.hands.length > 0) return mattersOnly ? 'Waiting for a hand that matters.' : 'Loading the hand...';
  return (job.attempt ?? 0) > 1
    ? 'The match was started again. Waiting for its first hand.'
    : 'Waiting for the first hand.';
}

function positionSentence(behind: number): string {
  return behind === 0 ? '' : `${hands(behind)} behind the match.`;
}

/** Returns one sentence about connection and position, or '' if there is nothing to say. */
export function statusSentence(view: LiveView, director: DirectorState, choice: Choice & { paused: boolean }): string {
  const { job, state } = view;
  if (state === 'retrying') return 'Connection lost. Reconnecting...';
  if (state === 'stalled') return 'The server has sent nothing for some seconds.';
  if (director.skipped !== null) return `Hand ${director.skipped} could not be loaded.`;
  if (director.shown === null) return waitingSentence(view, choice);
  const behind = Math.max(0, job.hands.length - director.shown.hand);
  if (choice.paused) return `Paused. ${positionSentence(behind)}`.trim();
  if (choice.biggestOnly) return 'The ten biggest hands of this match.';
  if (job.ended !== null && director.finished) return waitingSentence(view, choice);
  if (choice.pace !== 'live') return positionSentence(behind);
  const speed = job.progress?.handsPerSecond ?? 0;
  if (job.ended !== null) return 'The match has ended. Its last hands are shown.';
  if (choice.mattersOnly) return 'Only hands that matter are shown.';
  return showsEach(speed) ? '' : `${formatNumber(Math.round(speed))} hands a second: some of them are shown.`;
}
