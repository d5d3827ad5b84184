import type { Caller } from './caller.ts';
import type { History } from './history.ts';

const maxReconnects = 20;
const silentMs = 40_000;

interface Connection {
  /** HTTP status; 0: no response. */
  readonly status: number;
  readonly hands: string[];
  /** The last event id of the stream, which a browser sends when it reconnects. */
  readonly last: string;
  /** The data of the end event; undefined if there was none. */
  readonly end?: { readonly status: string; readonly hands_played: number };
}

/** Watches a public match until its end, as a browser: after a lost connection it reconnects with Last-Event-ID. Records each connection. */
export async function watchMatch(
  { anonymous, history }: { readonly anonymous: Caller; readonly history: History },
  jobId: string,
  stop: AbortSignal,
): Promise<void> {
  let last = '0:0';
  for (let connection = 0; connection < maxReconnects && !stop.aborted; connection++) {
    const start = performance.now();
    const { status, hands, last: at, end } = await connectOnce(anonymous, jobId, last, stop);
    const refused = status >= 400 && status < 500;
    const ended = end && { state: end.status, handsPlayed: end.hands_played, at };
    history.add({
      call: 'watch',
      jobId,
      after: last,
      hands,
      ...(ended ? { ended } : {}),
      start,
      end: performance.now(),
      outcome: ended ? 'done' : refused ? 'refused' : 'unknown',
      status,
    });
    if (ended || status === 404) return;
    last = at;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function connectOnce(anonymous: Caller, jobId: string, after: string, stop: AbortSignal): Promise<Connection> {
  const hands: string[] = [];
  let [status, last] = [0, after];
  let end: Connection['end'];
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silentMs);
  try {
    const response = await fetch(`${anonymous.origin}/live/job/${jobId}/events`, {
      headers: after === '0:0' ? {} : { 'last-event-id': after },
      signal: AbortSignal.any([stop, silence.signal]),
    });
    status = response.status;
    if (!response.ok || response.body === null) return { status, hands, last };
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMs);
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1];
        const event = /^event: (.*)$/m.exec(block)?.[1];
        if (event === 'hand' && id !== undefined) hands.push(id);
        if (id !== undefined) last = id;
        if (event === 'end') end = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}');
      }
    }
  } catch {
    // A fault has cut the connection, or the run has stopped: the caller reconnects or returns.
  } finally {
    clearTimeout(timer);
  }
  return { status, hands, last, ...(end ? { end } : {}) };
}
