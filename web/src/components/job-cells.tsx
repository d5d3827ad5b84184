import { Link } from 'react-router';
import { shortId } from '../lib/format.ts';
import type { JobFaults, JobProgress, ResultData } from '../lib/types.ts';
import { Badge, StatusBadge } from './badge.tsx';
import { BotResult, FaultLine } from './bot-faults.tsx';
import './job-cells.css';

/** Links to a job's page, labelled with the start of its id. */
export function JobLink({ jobId }: { jobId: string }) {
  return (
    <Link to={`/games/${encodeURIComponent(jobId)}`} title={jobId} aria-label={`Job ${jobId}`}>
      {shortId(jobId)}
    </Link>
  );
}

/** Shows a job's status with its queue position or its progress if the response has them. */
export function JobState({
  status,
  progress,
  own,
}: {
  status: string;
  progress: JobProgress & JobFaults;
  own?: string | undefined;
}) {
  const { queue_position: place, hands_done: done, num_rounds: total } = progress;
  const running = status.toLowerCase() === 'running';
  const hasProgress = running && typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <div className="job-progress">
      <span>
        <JobBadge status={status} own={own} {...faultsOf(progress)} />
      </span>
      {status.toLowerCase() === 'pending' && typeof place === 'number' && place > 0 && (
        <span>Number {place} in the queue</span>
      )}
      {hasProgress && (
        <>
          <progress value={done} max={total} aria-label="Hands played" />
          <span className="mono-number">
            {done} of {total} hands
          </span>
        </>
      )}
    </div>
  );
}

/** Returns the fault fields of a row for the cells that show them. */
export function faultsOf({ faults, no_contest: noContest }: JobFaults): JobFaults {
  return { ...(faults ? { faults } : {}), no_contest: noContest ?? false };
}

/** Shows a job's status; a finished job without a contest, or with faults of the own bot, is red. */
export function JobBadge({
  status,
  own,
  faults,
  no_contest: noContest,
}: JobFaults & { status: string; own?: string | undefined }) {
  const failed = noContest === true || (own !== undefined && (faults?.[own]?.summary ?? '') !== '');
  return failed && isFinishedJob(status) ? (
    <Badge color="red">{noContest ? 'No contest' : 'Finished with faults'}</Badge>
  ) : (
    <StatusBadge status={status} />
  );
}

type OutcomeProps = JobFaults & {
  status: string;
  error: string | null | undefined;
  results: ResultData | null | undefined;
  /** The current user; what failed in their bot is shown beside the outcome. */
  own?: string | undefined;
};

/** Shows a job's outcome: each player's money and the bots' faults, the error, or a dash while it is open. */
export function JobOutcome({ status, error, results, own, ...found }: OutcomeProps) {
  if (status.toLowerCase() === 'failed') return <span className="negative breakable">{error || 'Unknown error'}</span>;
  const entries = Object.entries(results ?? {}).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return <span className="muted">—</span>;
  return (
    <>
      <ul className="results">
        {entries.map(([username, delta]) => (
          <li key={username}>
            {username} <BotResult username={username} delta={delta} {...found} />
          </li>
        ))}
      </ul>
      {entries
        .filter(([username]) => username !== own)
        .map(([username]) => (
          <FaultLine key={username} who={username} faults={found.faults?.[username]} />
        ))}
    </>
  );
}

/** Returns whether a job has not ended yet. */
export function isOpenJob(status: string): boolean {
  return ['pending', 'running'].includes(status.toLowerCase());
}

export function isFinishedJob(status: string): boolean {
  return ['finished', 'completed'].includes(status.toLowerCase());
}
