import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ErrorBox, Loading } from '../components/feedback.tsx';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { formatDelta, formatTime } from '../lib/format.ts';
import { POLL_TEST_RUN_MS, queryKeys } from '../lib/query-keys.ts';
import type { BotCode, BotReport, JobResponse } from '../lib/types.ts';
import { useSession } from '../session/session.ts';
import { diagnose, type FoldedFault } from './diagnosis.ts';
import './doctor.css';
import { useMemo, useState } from 'react';
import { CommandLine } from '../components/code-view.tsx';
import { DiffView, diffTexts } from '../components/diff-view.tsx';
import { isOpenJob } from '../components/job-table.tsx';
import { replayPath } from '../lib/matches.ts';
import { RunAgainButton } from './run-again-button.tsx';

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
        {own && code.data && <RunAgainButton of={{ job_id: jobId }} onStarted={onRunAgain} />}
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

/** Queries the status of a match until it has ended. */
export function useMatchStatus(jobId: string) {
  return useQuery({
    queryKey: [...queryKeys.job(jobId), 'status'],
    queryFn: ({ signal }) => api.get('/sim/status/{id}', { params: { id: jobId }, signal }),
    refetchInterval: ({ state }) => (state.data && !isOpenJob(state.data.job_status) ? false : POLL_TEST_RUN_MS),
  });
}

/** Says why a match failed. */
export function FailedMatch({ status }: { status: JobResponse }) {
  return (
    <p className="negative breakable">
      The match failed{status.hands_done === 0 && ' before the first hand'}
      {status.error ? `: ${status.error}` : '.'}
    </p>
  );
}

/** Shows the three commands of the local kit that repeat a hand of a match on the user's machine. */
function DebugAtHome({ jobId, hand }: { jobId: string; hand: number }) {
  const file = `match-${jobId}.jsonl`;
  return (
    <details className="doctor-changes">
      <summary>Debug hand #{hand} on your machine</summary>
      <div>
        <CommandLine text={`husky download ${jobId}`} label="Copy download command" />
        <CommandLine text={`husky replay ${file} --hand ${hand}`} label="Copy replay command" />
        <CommandLine text={`husky debug player.py --match ${file} --hand ${hand}`} label="Copy debug command" />
        <p className="muted">
          The commands are those of <Link to="/kit">the local kit</Link>. Your bot gets the very same calls as in the
          match, and pdb and print work: <Link to="/bots/debug">Debug a bot</Link>.
        </p>
      </div>
    </details>
  );
}

/** Shows the changes between the previous version and the one that played, once they are opened. */
function VersionChanges({ code }: { code: BotCode }) {
  const [open, setOpen] = useState(false);
  const { version, previous } = code;
  if (previous === null) return <p className="muted">No earlier version of this bot is stored to compare with.</p>;
  return (
    <details className="doctor-changes" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Changes since the version of {formatTime(previous.first_used_at)}</summary>
      {open && (
        <div>
          <FileChanges name="player.py" before={previous.player_file} after={version.player_file} />
          <FileChanges name="requirements.txt" before={previous.requirements_file} after={version.requirements_file} />
        </div>
      )}
    </details>
  );
}

function FileChanges({ name, before, after }: { name: string; before: string; after: string }) {
  const lines = useMemo(() => diffTexts(before, after), [before, after]);
  if (lines.length === 0) return <p className="muted">{name} is unchanged.</p>;
  return (
    <>
      <h3>{name}</h3>
      <DiffView lines={lines} label={`Changes of ${name}`} />
    </>
  );
}

const CONTEXT_LINES = 3;
const MAX_LENGTH = 300;

/** Shows a line of a file between its neighbours. Renders nothing if the file has no such line. */
function CodeExcerpt({ text, line }: { text: string; line: number }) {
  const lines = text.split(/\r\n|\r|\n/);
  if (line < 1 || line > lines.length) return null;
  const first = Math.max(1, line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, line + CONTEXT_LINES);
  return (
    <figure className="excerpt">
      <figcaption>player.py, line {line}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section tabIndex={0} aria-label={`Lines ${first} to ${first + shown.length - 1} of player.py`}>
        <code>
          {shown.map((code, index) => {
            const number = first + index;
            const content = code.length > MAX_LENGTH ? `${code.slice(0, MAX_LENGTH)} …` : code;
            return (
              <span key={number} className={number === line ? 'excerpt-line excerpt-failing' : 'excerpt-line'}>
                <span className="excerpt-number" aria-hidden="true">
                  {number}
                </span>
                {number === line ? <mark>{content}</mark> : content}
              </span>
            );
          })}
        </code>
      </section>
    </figure>
  );
}
