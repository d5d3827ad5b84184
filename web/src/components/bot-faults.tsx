import { Link } from 'react-router';
import { deltaClass, formatDelta } from '../lib/format.ts';
import type { BotFaults, JobFaults } from '../lib/types.ts';

/** The page with all that a bot did in a match, for its owner and admins. */
export function botReportPath(jobId: string, username: string): string {
  return `/games/${encodeURIComponent(jobId)}/bots/${encodeURIComponent(username)}`;
}

type ResultProps = JobFaults & { username: string; delta: number; format?: (delta: number) => string };

/** Shows a bot's result: its money, or that it never started or had no opponent. */
export function BotResult({ username, delta, format = formatDelta, faults, no_contest: noContest }: ResultProps) {
  if (faults?.[username]?.never_started) return <span className="negative">never started</span>;
  if (noContest) return <span className="muted">no contest</span>;
  return <span className={`mono-number ${deltaClass(delta)}`}>{format(delta)}</span>;
}

type FaultProps = { who: string; faults: BotFaults | undefined };

/** How a bot failed, in red, with the way to the first such hand; nothing for one that did not. */
export function FaultLine({ who, faults }: FaultProps) {
  if (!faults || faults.summary === '') return null;
  return (
    <p className="fault-line breakable">
      {who} {faults.summary}
      {faults.first?.game_id && (
        <>
          {' '}
          <Link to={`/replay/${faults.first.game_id}`}>First such hand (#{faults.first.hand})</Link>
        </>
      )}
    </p>
  );
}
