import type { Caller } from './caller.ts';
import type { History } from './history.ts';

const maxReconnects = 20;
const silentMs = 40_000;

interface Connection {
  readonly hands: string[];
  /** The last event id of the stream, which a browser sends when it reconnects. */
  readonly last: string;
  readonly ended: boolean;
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
    const { hands, last: next, ended } = await connectOnce(anonymous, jobId, last, stop);
    const outcome = ended ? 'done' : 'unknown';
    const call = { call: 'watch', jobId, after: last, hands } as const;
    history.add({ ...call, start, end: performance.now(), outcome, status: hands.length > 0 ? 200 : 0 });
    if (ended) return;
    last = next;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function connectOnce(anonymous: Caller, jobId: string, after: string, stop: AbortSignal): Promise<Connection> {
  const hands: string[] = [];
  let last = after;
  let ended = false;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silentMs);
  try {
    const response = await fetch(`${anonymous.origin}/live/job/${jobId}/events`, {
      headers: after === '0:0' ? {} : { 'last-event-id': after },
      signal: AbortSignal.any([stop, silence.signal]),
    });
    if (!response.ok || response.body === null) return { hands, last, ended: response.status === 404 };
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
        if (event === 'end') ended = true;
      }
    }
  } catch {
    // A fault has cut the connection, or the run has stopped: the caller reconnects or returns.
  } finally {
    clearTimeout(timer);
  }
  return { hands, last, ended };
}
