import { Link } from 'react-router';
import { deltaClass, formatDelta, shortId } from '../lib/format.ts';
import type { JobProgress, ResultData } from '../lib/types.ts';
import { StatusBadge } from './badge.tsx';
import './job-cells.css';

/** The link to a job's page, by the beginning of its id. */
export function JobLink({ jobId }: { jobId: string }) {
  return (
    <Link to={`/games/${encodeURIComponent(jobId)}`} title={jobId} aria-label={`Job ${jobId}`}>
      {shortId(jobId)}
    </Link>
  );
}

/** A job's status with its place in the queue or its progress, where the server tells them. */
export function JobState({ status, progress }: { status: string; progress: JobProgress }) {
  const { queue_position: place, hands_done: done, num_rounds: total } = progress;
  const running = status.toLowerCase() === 'running';
  const known = running && typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <div className="job-progress">
      <span>
        <StatusBadge status={status} />
      </span>
      {status.toLowerCase() === 'pending' && typeof place === 'number' && place > 0 && (
        <span>Number {place} in the queue</span>
      )}
      {known && (
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

type OutcomeProps = { status: string; error: string | null | undefined; results: ResultData | null | undefined };

/** What a job came to: each player's money, the error, or a dash while it is open. */
export function JobOutcome({ status, error, results }: OutcomeProps) {
  if (status.toLowerCase() === 'failed') return <span className="negative breakable">{error || 'Unknown error'}</span>;
  const entries = Object.entries(results ?? {}).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return <span className="muted">—</span>;
  return (
    <ul className="results">
      {entries.map(([username, delta]) => (
        <li key={username}>
          {username} <span className={`mono-number ${deltaClass(delta)}`}>{formatDelta(delta)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Whether a job has not ended yet. */
export function isOpenJob(status: string): boolean {
  return ['pending', 'running'].includes(status.toLowerCase());
}

export function isFinishedJob(status: string): boolean {
  return ['finished', 'completed'].includes(status.toLowerCase());
}
