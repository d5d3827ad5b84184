import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { matchState } from '../../broadcast/state.ts';
import { useStoredJob } from '../../broadcast/use-stored-job.ts';
import { FaultLine } from '../../components/bot-faults.tsx';
import { Button } from '../../components/button.tsx';
import { Downloads } from '../../components/downloads.tsx';
import { Deferred, EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { faultsOf, JobBadge } from '../../components/job-table.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { parseTime } from '../../lib/format.ts';
import { botReportPath, matchHeadline } from '../../lib/matches.ts';
import { lazyPart } from '../../lib/retry-import.ts';
import type { JobFaults, JobResponse, ResultData } from '../../lib/types.ts';
import { useAtRest } from '../../lib/visible.ts';
import { PerformancePanel } from '../../performance/performance-panel.tsx';
import { Rankings } from '../../performance/rankings.tsx';
import { toSeries } from '../../performance/series.ts';
import { useSession } from '../../session/session.ts';
import { useJob } from './use-job.ts';
import './games.css';

/** Not loaded by visits to matches of another day. */
const Broadcast = lazyPart(async () => (await import('../../broadcast/broadcast.tsx')).Broadcast);

/** Not needed for the first paint. */
const HandList = lazyPart(async () => (await import('./hand-list.tsx')).HandList);
const CommitmentPanel = lazyPart(async () => (await import('./commitment-panel.tsx')).CommitmentPanel);

/** Takes the place of the broadcast until the rest of the page is there. */
const PLACE = <p className="broadcast-loading">The table opens in a moment.</p>;
const RECENT_MS = 60 * 60 * 1000;

/** Returns 'Live Gameplay for Game #n: {id}' if the URL has a game number, else 'Game: {id}'. */
export function jobPageTitle(jobId: string, gameNumber: string | null): string {
  return gameNumber !== null && /^\d{1,9}$/.test(gameNumber)
    ? `Live Gameplay for Game #${gameNumber}: ${jobId}`
    : `Game: ${jobId}`;
}

type FinalResultProps = { jobId: string; result: ResultData; seats: readonly string[] | undefined; found: JobFaults };

/** Shows the one list of the results of a finished match, and the faults of its bots. */
function FinalResult({ jobId, result, seats, found }: FinalResultProps) {
  const { user } = useSession();
  const series = toSeries(Object.fromEntries(Object.entries(result).map(([name, delta]) => [name, [delta]])), seats);
  const names = series.map(({ name }) => name);
  return (
    <Panel title="Job Final Result">
      {found.no_contest && <p>No bot played against another: nobody has won or lost.</p>}
      <Rankings series={series} found={found} />
      {names.map((name) => (
        <FaultLine key={name} who={name === user?.username ? 'Your bot' : name} faults={found.faults?.[name]} />
      ))}
      {user && (user.admin || user.username in result) && (
        <ul className="bot-links">
          {names
            .filter((name) => user.admin || name === user.username)
            .map((name) => (
              <li key={name}>
                <Link to={botReportPath(jobId, name)}>{name === user.username ? 'Your bot' : `Bot of ${name}`}</Link>
              </li>
            ))}
        </ul>
      )}
    </Panel>
  );
}

function HandsSection({ jobId, job }: { jobId: string; job: ReturnType<typeof useJob> }) {
  const { games, hands, open } = job;
  if (hands.length > 0) {
    const { series, streaming, batchLabel } = job;
    return (
      <Deferred>
        <Suspense>
          <HandList jobId={jobId} hands={hands} series={series ?? []} running={streaming} batchLabel={batchLabel} />
        </Suspense>
      </Deferred>
    );
  }
  if (games.isPending) return <Loading inline text="Loading hands..." />;
  // The server's detail, else the error's message, else a fallback.
  if (games.isError && !(open && isApiError(games.error, 404))) {
    const text = messageOf(games.error, 'Failed to load games.');
    // No retry button: a retry cannot succeed for a private or unknown match.
    if (isApiError(games.error, 403, 404)) return <ErrorBox text={text} />;
    return <ErrorBox text={text} onRetry={() => void games.refetch()} />;
  }
  // Before its first hand the broadcast tells how the match is.
  return open ? null : <EmptyState title="No hands found" />;
}

/** Names the rotation of a duplicate match and links the other matches of its deal set. Renders nothing for a classic match. */
export function RotationsNote({ status }: { status: JobResponse }) {
  const { rotation, rotations, deleted_rotations: deleted = [], job_id: jobId } = status;
  if (typeof rotation !== 'number') return null;
  const isTrial = [rotation, ...(rotations ?? []).map((one) => one.rotation)].some((one) => one > 6);
  const others = (rotations ?? []).filter((one) => one.job_id !== jobId);
  return (
    <nav className="rotations" aria-label="Matches of the deal set">
      <p>
        {isTrial
          ? `A trial, match ${rotation} of 12: the same cards are played in six matches with one version, and in six with the other in its seats.`
          : `Duplicate play, rotation ${rotation} of 6: the same cards are played in six matches, and every bot sits in every seat once.`}
      </p>
      {deleted.length > 0 && (
        <p>
          {deleted.length === 1
            ? `Rotation ${deleted[0]} was deleted.`
            : `Rotations ${deleted.join(', ')} were deleted.`}
        </p>
      )}
      {others.length > 0 && (
        <ul className="cluster">
          {others.map((one) => (
            <li key={one.job_id}>
              <Link to={`/games/${encodeURIComponent(one.job_id)}`}>
                Rotation {one.rotation}
                {one.job_status === 'Finished' ? '' : ` (${one.job_status.toLowerCase()})`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

function LoadedJobPage({ jobId }: { jobId: string }) {
  const [params] = useSearchParams();
  const job = useJob(jobId);
  const { status, hands, performance, live, open } = job;
  const ids = useMemo(() => new Map(hands.map((hand) => [hand.game_uuid, hand.game_id])), [hands]);
  const gameOf = useCallback((hand: number) => ids.get(String(hand)) ?? null, [ids]);
  const { refetch } = performance;
  const refresh = useCallback(() => void refetch(), [refetch]);
  const title = jobPageTitle(jobId, params.get('gameNumber'));
  const headline = matchHeadline({ job_id: jobId, ...status }, Date.now());
  const result = status?.result_data ?? null;
  // The broadcast stays until the visitor leaves, also when the match, or the hour after its end, has ended meanwhile.
  const opened = useRef(false);
  const endedMs = parseTime(status?.completed_at);
  opened.current ||= open || (result !== null && endedMs !== null && Date.now() - endedMs < RECENT_MS);
  const [chosen, setChosen] = useState(false);
  const watched = opened.current || chosen;
  const atRest = useAtRest();
  const onAir = watched && (open || atRest);
  const streamed = open || live.job.attempt !== null;
  const stored = useStoredJob(jobId, onAir && status !== undefined && !streamed);
  const view = streamed ? live : stored.view;
  const shownStatus = matchState({ view, status: status?.job_status }).status;

  return (
    <Page
      width="wide"
      title={<span className="job-headline">{headline}</span>}
      tabTitle={headline}
      lead={<span className="job-title">{title}</span>}
      before={<BackLink to="/games">Back to games</BackLink>}
      {...(status
        ? {
            actions: (
              <>
                {result !== null && hands.length > 0 && !watched && (
                  <Button small variant="secondary" onClick={() => setChosen(true)}>
                    Watch it
                  </Button>
                )}
                <JobBadge status={shownStatus} {...faultsOf(status)} />
              </>
            ),
          }
        : {})}
    >
      {watched && (
        <Suspense fallback={PLACE}>
          {onAir ? (
            <Broadcast
              turn={jobId}
              view={view}
              swings={stored.swings}
              status={status?.job_status}
              queuePosition={status?.queue_position}
            />
          ) : (
            PLACE
          )}
        </Suspense>
      )}
      {status && <RotationsNote status={status} />}
      {status?.waiting_reason && <ErrorBox text={status.waiting_reason} />}
      {status?.error && <ErrorBox text={status.error} />}
      {status?.ended_early && <p className="job-note">{status.ended_early}</p>}
      {status?.stacks === 'reset' && (
        <p className="job-note">Every hand starts with the starting stack. The result is the sum of all hands.</p>
      )}
      {result !== null && Object.keys(result).length > 0 && (
        <FinalResult jobId={jobId} result={result} seats={status?.players} found={faultsOf(status ?? {})} />
      )}
      {job.ready && !status?.no_contest && !(open && hands.length === 0) && (
        <PerformancePanel
          series={job.series}
          error={job.performanceError}
          gameId={jobId}
          gameOf={gameOf}
          running={open}
          refreshing={performance.isFetching}
          onRefresh={refresh}
        />
      )}
      {job.ready && <HandsSection jobId={jobId} job={job} />}
      {status?.job_status === 'Finished' && <Downloads of={{ match: jobId }} />}
      {status && (
        <Deferred>
          <Suspense>
            <CommitmentPanel status={status} />
          </Suspense>
        </Deferred>
      )}
    </Page>
  );
}

/** Shows /games/:jobId. */
export function JobPage() {
  const { jobId = '' } = useParams();
  if (jobId.trim() === '') {
    return (
      <Page title="Game" before={<BackLink to="/games">Back to games</BackLink>}>
        <ErrorBox text="No job ID provided" />
      </Page>
    );
  }
  return <LoadedJobPage key={jobId} jobId={jobId} />;
}
