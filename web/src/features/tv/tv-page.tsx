import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type LiveJob, NO_LIVE_JOB } from '../../broadcast/live-merge.ts';
import { MatchBroadcast } from '../../broadcast/match-broadcast.tsx';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/feedback.tsx';
import { Name } from '../../components/name.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass } from '../../lib/format.ts';
import { jobPath, jobTitle } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { lazyPart } from '../../lib/retry-import.ts';
import { formatChange } from '../../table/chips.ts';
import { Ceremony, useCeremony } from './ceremony.tsx';
import { nextSlot, placesOf, type Slot } from './channel.ts';
import './tv.css';

const Exhibition = lazyPart(async () => (await import('../../broadcast/exhibition.tsx')).Exhibition);

const POLL_MS = 5_000;
const BEST_MS = 10 * 60_000;
const IDLE_MS = 3_000;
const RESULT_MS = 15_000;
const BEST_OF_THE_WEEK = 6;

function FullScreenButton() {
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const read = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', read);
    return () => document.removeEventListener('fullscreenchange', read);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (full ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <Button small variant="ghost" onClick={() => void toggle().catch(() => undefined)}>
      {full ? 'Leave full screen' : 'Full screen'}
    </Button>
  );
}

/** Returns whether nobody has moved the pointer or pressed a key for 3 s. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) document.addEventListener(event, wake);
    wake();
    return () => {
      clearTimeout(timer);
      for (const event of events) document.removeEventListener(event, wake);
    };
  }, []);
  return idle;
}

/** Returns the lists of matches that the channel chooses from; the last ones while the server is away. */
function useLists() {
  const now = useQuery({
    queryKey: queryKeys.liveNow,
    queryFn: ({ signal }) => api.get('/live/now', { signal }),
    refetchInterval: POLL_MS,
  });
  const best = useQuery({
    queryKey: [...queryKeys.publicJobs, 'best'],
    queryFn: ({ signal }) =>
      api.get('/live/public-job-ids/paginated', {
        query: { status: 'Finished', order: 'best', page_size: BEST_OF_THE_WEEK },
        signal,
      }),
    staleTime: BEST_MS,
  });
  const lists = now.data && {
    running: now.data.running,
    finished: now.data.finished.filter(({ status }) => status === 'Finished'),
    best: best.data?.jobs ?? [],
  };
  return { lists: best.isPending ? undefined : lists, away: now.isError, refetch: now.refetch };
}

/** `ended`: shown to its end, or gone: it may no longer be seen. */
type On = { slot: Slot | null; turn: number; ended: 'shown' | 'gone' | null };

/** Shows one match after another, each with its result. Without a public match the house bots play. */
function Channel({ lists, away }: { lists: NonNullable<ReturnType<typeof useLists>['lists']>; away: boolean }) {
  const shown = useRef(new Map<string, number>());
  const [on, setOn] = useState<On>(() => ({ slot: nextSlot(lists, shown.current), turn: 1, ended: null }));
  const [job, setJob] = useState<LiveJob>(NO_LIVE_JOB);
  const onEnd = (all: boolean) => setOn((before) => ({ ...before, ended: all ? 'shown' : 'gone' }));
  const { slot, turn, ended } = on;
  const jobId = slot?.job_id;
  const counted = new Map(shown.current).set(jobId ?? '', (shown.current.get(jobId ?? '') ?? 0) + 1);
  const next = nextSlot(lists, counted);
  const latest = useRef({ next, counted });
  latest.current = { next, counted };

  useEffect(() => {
    if (ended === null) return;
    const timer = setTimeout(
      () => {
        shown.current = latest.current.counted;
        setJob(NO_LIVE_JOB);
        setOn((before) => ({ slot: latest.current.next, turn: before.turn + 1, ended: null }));
      },
      ended === 'gone' ? POLL_MS : RESULT_MS,
    );
    return () => clearTimeout(timer);
  }, [ended]);

  // The first public match interrupts the exhibition.
  const begin = slot === null && next !== null;
  useEffect(() => {
    if (begin) setOn((before) => ({ slot: latest.current.next, turn: before.turn + 1, ended: null }));
  }, [begin]);

  const title = slot === null ? 'Exhibition' : <Link to={jobPath(slot)}>{jobTitle(slot)}</Link>;
  return (
    <>
      {ended === 'shown' && slot !== null ? (
        <Result job={job} title={title} next={next === null ? '' : jobTitle(next)} />
      ) : slot === null ? (
        <Suspense fallback={<Loading text="Loading the exhibition..." />}>
          <Exhibition key={turn} kind="screen" title={title} onEnd={onEnd} />
        </Suspense>
      ) : (
        <MatchBroadcast
          key={turn}
          jobId={slot.job_id}
          running={slot.running}
          kind="screen"
          title={title}
          note={away ? 'The server cannot be reached. The channel goes on when it is back.' : undefined}
          onJob={setJob}
          onEnd={onEnd}
        />
      )}
    </>
  );
}

function Result({ job, title, next }: { job: LiveJob; title: React.ReactNode; next: string }) {
  return (
    <section className="tv-result" aria-label="Result">
      <h2>{title}</h2>
      <ol>
        {placesOf(job).map(({ rank, name, delta, sentence }) => (
          <li key={name}>
            <b className="mono-number">{rank}.</b>
            <span>
              <Name name={name} />
              <span className="muted">{sentence}</span>
            </span>
            <b className={`mono-number ${deltaClass(delta)}`}>{formatChange(delta)}</b>
          </li>
        ))}
      </ol>
      {next !== '' && <p>Next: {next}</p>}
    </section>
  );
}

/** Shows /tv: an endless programme of public matches for a hall, or a tournament's ceremony, without the site's navigation. */
export function TvPage() {
  usePageTitle('TV');
  const { lists, away, refetch } = useLists();
  const idle = useIdle();
  const ceremony = useCeremony();
  return (
    <main className={idle ? 'tv tv-idle' : 'tv'} id="main">
      <header className="tv-head">
        <h1>
          <Link to="/">Husky Hold'em Bench</Link>
        </h1>
        <FullScreenButton />
      </header>
      {ceremony !== null ? (
        <Ceremony of={ceremony} />
      ) : lists !== undefined ? (
        <Channel lists={lists} away={away} />
      ) : away ? (
        <p className="tv-away" role="status">
          The server cannot be reached. The channel begins when it is back.{' '}
          <Button small variant="ghost" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <Loading text="Loading matches..." />
      )}
    </main>
  );
}
