import { rankOf } from '@husky/match/ranks';
import { formatDay, formatDelta, formatNumber } from './format.ts';
import type { BatchPlan, JobResponse, PublicJob } from './types.ts';

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

const OPEN: Readonly<Record<string, string>> = { Pending: 'waiting to start', Running: 'in play', Failed: 'failed' };

/** Returns the headline of a match's page: which match, how it ended or stands, and the day of its end. Without a status: which match. */
export function matchHeadline(match: Pick<JobResponse, 'job_id'> & Partial<JobResponse>, now: number): string {
  const { job_id: id, kind, batch_number: batch, game_number: number, job_status: status, completed_at: ended } = match;
  const which = `${kind === 'test' ? 'Test run' : 'Match'} ${number || id.slice(0, 8)}${batch ? ` of batch ${batch}` : ''}`;
  if (status === undefined) return which;
  const day = ended ? `, ${formatDay(ended, now)}` : '';
  return `${which}: ${OPEN[status] ?? outcomeOf(match)}${day}`;
}

function outcomeOf({ no_contest: noContest, result_data: result }: Partial<JobResponse>): string {
  const deltas = Object.values(result ?? {});
  const winners = Object.entries(result ?? {}).filter(([, delta]) => delta > 0 && rankOf(delta, deltas) === 1);
  const [winner] = winners;
  if (noContest) return 'no contest';
  if (winner === undefined) return 'finished without a winner';
  const [name, delta] = winner;
  if (winners.length === 1) return `${name} wins $${formatNumber(delta)}`;
  return `${joinNames(winners.map(([one]) => one))} tie with $${formatNumber(delta)} each`;
}

/** Returns 'ann', 'ann and ben', or 'ann, ben and cat'. */
export const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

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

/** Returns the path of a player's page. */
export const playerPath = (username: string): string => `/players/${encodeURIComponent(username)}`;

/** Returns the path of the page that challenges a player. */
export const challengePath = (username: string): string => `/challenge?to=${encodeURIComponent(username)}`;

/** Returns the path of a batch's page. */
export const batchPath = (number: number): string => `/batches/${number}`;

/** Returns the path of a bot's report on a match, which its owner and admins can open. */
export const botReportPath = (jobId: string, username: string): string =>
  `/games/${encodeURIComponent(jobId)}/bots/${encodeURIComponent(username)}`;

/** Returns the path of a hand's replay, at a step counted from 1 if it is known. */
export function replayPath(gameId: string, step?: number | null): string {
  const path = `/replay/${encodeURIComponent(gameId)}`;
  return step ? `${path}?step=${step}` : path;
}

/** Returns what a batch plays as a sentence. */
export function planSentence({ mode, design, tables }: BatchPlan, users: number, numRounds: number): string {
  const which =
    design === 'all' ? `every 6 of ${users} players` : `${formatNumber(tables)} tables of 6 among ${users} players`;
  const hands = `up to ${formatNumber(numRounds)} hands each`;
  return mode === 'duplicate'
    ? `Duplicate play: for ${which} 6 matches with the same cards and rotated seats, ${hands}.`
    : `A match for ${which}, ${hands}.`;
}

const rangeText = ({ min, max }: { min: number; max: number }): string =>
  min === max ? formatNumber(min) : `${formatNumber(min)} to ${formatNumber(max)}`;

/** Returns the size of a batch: its matches, hands, deal sets, and how often its players meet. */
export function planNumbers({ mode, matches, hands, tables, tables_of_pair }: BatchPlan): string {
  const one = tables_of_pair.max === 1;
  const unit = mode === 'duplicate' ? (one ? 'deal set' : 'deal sets') : one ? 'match' : 'matches';
  const parts = [
    `${formatNumber(matches)} ${matches === 1 ? 'match' : 'matches'}, at most ${formatNumber(hands)} hands.`,
    mode === 'duplicate' ? `${formatNumber(tables)} ${tables === 1 ? 'deal set' : 'deal sets'} of 6 matches.` : '',
    `Two players meet in ${rangeText(tables_of_pair)} ${unit}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
