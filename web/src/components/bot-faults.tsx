import { Link } from 'react-router';
import { deltaClass, formatDelta } from '../lib/format.ts';
import { replayPath } from '../lib/matches.ts';
import type { BotFaults, JobFaults } from '../lib/types.ts';

type ResultProps = JobFaults & { username: string; delta: number; format?: (delta: number) => string };

/** Shows a bot's result: its money, or that it never started or had no opponent. */
export function BotResult({ username, delta, format = formatDelta, faults, no_contest: noContest }: ResultProps) {
  if (faults?.[username]?.never_started) return <span className="negative">never started</span>;
  if (noContest) return <span className="muted">no contest</span>;
  return <span className={`mono-number ${deltaClass(delta)}`}>{format(delta)}</span>;
}

type FaultProps = { who: string; faults: BotFaults | undefined };

/** Shows a bot's faults in red with a link to the first such hand; renders nothing without faults. */
export function FaultLine({ who, faults }: FaultProps) {
  if (!faults || faults.summary === '') return null;
  return (
    <p className="fault-line breakable">
      {who} {faults.summary}
      {faults.first?.game_id && (
        <>
          {' '}
          <Link to={replayPath(faults.first.game_id, faults.first.step)}>First such hand (#{faults.first.hand})</Link>
        </>
      )}
    </p>
  );
}
