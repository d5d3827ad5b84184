import { formatDelta, formatNumber } from './format.ts';
import type { PublicJob } from './types.ts';

export function isLive(job: Pick<PublicJob, 'status'>): boolean {
  return job.status?.toLowerCase() === 'running';
}

type Numbered = Pick<PublicJob, 'batch_number' | 'game_number'>;

/** Returns a match's title: 'Batch #3 Game #17', or 'Game #17' without a batch. */
export function jobTitle(job: Numbered): string {
  const batch = job.batch_number ? `Batch #${job.batch_number}` : '';
  const game = job.game_number ? `Game #${job.game_number}` : '';
  return [batch, game].filter(Boolean).join(' ') || 'Game';
}

/** Returns the path of the match's page, with the game's number for its title. */
export function jobPath(job: Pick<PublicJob, 'job_id' | 'game_number'>): string {
  const number = job.game_number ? `?gameNumber=${job.game_number}` : '';
  return `/games/${encodeURIComponent(job.job_id)}${number}`;
}

/** Returns who won and how much, or who leads while the match runs; '' without a status. */
export function resultText({
  status,
  winner,
  winner_delta: delta,
}: Pick<PublicJob, 'status' | 'winner' | 'winner_delta'>): string {
  if (status === undefined) return '';
  const sum = formatDelta(delta ?? 0);
  if (isLive({ status })) return winner ? `${winner} leads with ${sum}` : 'Nobody leads yet';
  if (status !== 'Finished') return 'No result';
  return winner ? `${winner} won ${sum}` : 'No single winner';
}

/** Returns the number of hands and how the match ended: '612 hands, ended early: one player holds every chip'; '' without them. */
export function endText({
  status,
  hands,
  end_reason: reason,
}: Pick<PublicJob, 'status' | 'hands' | 'end_reason'>): string {
  if (status === undefined || hands === undefined) return '';
  const played = hands === 1 ? '1 hand' : `${formatNumber(hands)} hands`;
  if (isLive({ status })) return `${played} so far`;
  if (status !== 'Finished') return reason ? `${played}, failed: ${reason}` : `${played}, failed`;
  return reason ? `${played}, ended early: ${reason}` : `${played}, all played`;
}
