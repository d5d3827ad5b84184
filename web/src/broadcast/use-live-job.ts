import { startTransition, useEffect, useState } from 'react';
import { fetchSignedIn } from '../lib/api.ts';
import { followStream, pause, type Reaction, type ServerEvent, type StreamState } from './follow-stream.ts';
import { type LiveJob, lastEventId, mergeEvents, NO_LIVE_JOB } from './live-merge.ts';

const RENDER_INTERVAL_MS = 250;

/** `refusal`: status of the response that refused the stream. */
export type LiveView = { job: LiveJob; state: StreamState; refusal: number | null };

const IDLE: LiveView = { job: NO_LIVE_JOB, state: 'connecting', refusal: null };

async function openEvents(jobId: string, from: string | null, signal: AbortSignal): Promise<Response> {
  return fetchSignedIn(`/live/job/${encodeURIComponent(jobId)}/events`, {
    headers: { Accept: 'text/event-stream', ...(from === null ? {} : { 'Last-Event-ID': from }) },
    cache: 'no-store',
    signal,
  });
}

/**
 * Follows the stream of a match from its first hand; null as status does not follow it. A new status reconnects, because a
 * pending match has no stream yet. Renders at most four times a second.
 */
export function useLiveJob(jobId: string, status: string | null): LiveView {
  const [view, setView] = useState<LiveView>(IDLE);

  useEffect(() => {
    if (status === null) return;
    const stop = new AbortController();
    let job = NO_LIVE_JOB;
    let state: StreamState = 'connecting';
    let refusal: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renderNow = () => {
      timer = undefined;
      // As a transition, the page is rendered in short tasks and input comes first.
      startTransition(() => setView({ job, state, refusal }));
    };
    const renderSoon = () => {
      timer ??= setTimeout(renderNow, RENDER_INTERVAL_MS);
    };
    const receive = (events: ServerEvent[]): Reaction => {
      const merged = mergeEvents(job, events);
      job = merged.job;
      renderSoon();
      if (merged.gap) return 'reconnect';
      return job.ended === null ? 'continue' : 'stop';
    };
    setView(IDLE);
    void followStream({
      open: (from, signal) => openEvents(jobId, from, signal),
      receive,
      lastEventId: () => lastEventId(job),
      onState: (next, status) => {
        state = next;
        refusal = next === 'refused' ? (status ?? null) : null;
        renderSoon();
      },
      wait: pause,
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [jobId, status]);

  return view;
}
