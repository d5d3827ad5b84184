import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ErrorBox } from '../components/error-box.tsx';
import { Loading } from '../components/loading.tsx';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { formatDelta } from '../lib/format.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { BotReport } from '../lib/types.ts';
import { useSession } from '../session/session.ts';
import { CodeExcerpt } from './code-excerpt.tsx';
import { DebugAtHome } from './debug-at-home.tsx';
import { diagnose, type FoldedFault } from './diagnosis.ts';
import './doctor.css';
import { replayPath } from '../lib/paths.ts';
import { RunAgainButton } from './run-again-button.tsx';
import { VersionChanges } from './version-changes.tsx';

const SHOWN_FAULTS = 5;

type Props = {
  report: BotReport;
  /** Links beside those to the hands. */
  children?: React.ReactNode;
  onRunAgain: (jobId: string) => void;
};

/** Says what failed in a match of a bot and offers the next steps. For the bot's owner and admins. */
export function Doctor({ report, children, onRunAgain }: Props) {
  const { user } = useSession();
  const { job_id: jobId, username, worst_hand: worst } = report;
  const { sentence, failed, faults, line } = diagnose(report);
  const code = useQuery({
    queryKey: queryKeys.botCode(jobId, username),
    queryFn: ({ signal }) =>
      api.get('/live/job/{id}/bots/{username}/code', { params: { id: jobId, username }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [first] = [...faults].sort((a, b) => a.hand - b.hand || a.step - b.step);
  const own = user?.username.toLowerCase() === username.toLowerCase();
  return (
    <div className="doctor">
      <p className={`doctor-sentence ${failed ? 'negative' : 'positive'}`}>{sentence}.</p>
      {line !== null && code.data && <CodeExcerpt text={code.data.version.player_file} line={line} />}
      {line !== null && code.isPending && <Loading inline />}
      {code.isError && <CodeMissing error={code.error} onRetry={() => void code.refetch()} />}
      {faults.length > 1 && <FaultList faults={faults} />}
      <div className="cluster">
        {first && <Link to={replayPath(first.gameId, first.step)}>First faulty step (hand #{first.hand})</Link>}
        {worst && (
          <Link to={replayPath(worst.game_id)}>
            Hand that lost most (#{worst.hand}, {formatDelta(worst.delta)})
          </Link>
        )}
        {children}
        {own && code.data && <RunAgainButton jobId={jobId} onStarted={onRunAgain} />}
      </div>
      {first && <DebugAtHome jobId={jobId} hand={first.hand} />}
      {code.data && <VersionChanges code={code.data} />}
    </div>
  );
}

function CodeMissing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isApiError(error, 404)) {
    return (
      <p className="muted">
        The files of this version are not stored any more, so its code cannot be shown or run again.
      </p>
    );
  }
  return <ErrorBox text={messageOf(error, "Failed to load the bot's code.")} onRetry={onRetry} />;
}

function FaultList({ faults }: { faults: readonly FoldedFault[] }) {
  return (
    <ol className="doctor-faults" aria-label="Reasons">
      {faults.slice(0, SHOWN_FAULTS).map(({ kind, what, line, count, variants, hand, step, gameId }) => (
        <li key={`${kind} ${what} ${line}`}>
          <b className="mono-number">{count}×</b> {what}
          {line !== null && `, line ${line}`}
          {variants > 0 && ` and ${variants} other ${variants === 1 ? 'message' : 'messages'}`}{' '}
          <Link to={replayPath(gameId, step)} aria-label={`First step with ${what}, hand #${hand}`}>
            hand #{hand}
          </Link>
        </li>
      ))}
      {faults.length > SHOWN_FAULTS && <li className="muted">{faults.length - SHOWN_FAULTS} more below.</li>}
    </ol>
  );
}
