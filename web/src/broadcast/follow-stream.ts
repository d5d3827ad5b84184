/** `stalled`: connected, but without data for 8 s; a match in play sends its progress every second. */
export type StreamState = 'connecting' | 'live' | 'stalled' | 'retrying' | 'ended' | 'refused';

/** The receiver's reaction to an event. 'reconnect' requests the stream again from the last event. */
export type Reaction = 'continue' | 'reconnect' | 'stop';

export type StreamOptions = {
  /** Requests the stream; `lastEventId` is null for the first request. */
  open: (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;
  receive: (events: ServerEvent[]) => Reaction;
  lastEventId: () => string | null;
  /** `status` of the response is given for `refused`. */
  onState: (state: StreamState, status?: number) => void;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
};

const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** The gateway sends a comment every 15 s; longer silence means a dead connection. */
const SILENCE_MS = 40_000;
const STALLED_MS = 8_000;
const REFUSALS = new Set([400, 401, 403, 404, 405, 410, 422]);

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

async function readEvents(
  response: Response,
  receive: StreamOptions['receive'],
  onChunk: () => void,
): Promise<Reaction> {
  const reader = response.body?.getReader();
  if (reader === undefined) return 'continue';
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'continue';
      onChunk();
      const events = parse(decoder.decode(value, { stream: true }));
      const reaction = events.length > 0 ? receive(events) : 'continue';
      if (reaction !== 'continue') return reaction;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

type Attempt = { reaction: Reaction; received: boolean; retryAfterMs: number };

async function connectOnce(options: StreamOptions): Promise<Attempt> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  let stall: ReturnType<typeof setTimeout> | undefined;
  const resetSilence = () => {
    clearTimeout(timer);
    clearTimeout(stall);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
    stall = setTimeout(() => options.onState('stalled'), STALLED_MS);
  };
  let received = false;
  const receive = (events: ServerEvent[]): Reaction => {
    received = true;
    return options.receive(events);
  };
  try {
    const response = await options.open(options.lastEventId(), AbortSignal.any([options.signal, silence.signal]));
    if (response.status === 204) return { reaction: 'stop', received, retryAfterMs: 0 };
    if (!response.ok) {
      await response.body?.cancel();
      if (REFUSALS.has(response.status)) options.onState('refused', response.status);
      const retryAfterMs = Number(response.headers.get('Retry-After') ?? 0) * 1_000 || 0;
      return { reaction: REFUSALS.has(response.status) ? 'stop' : 'continue', received, retryAfterMs };
    }
    const onChunk = () => {
      resetSilence();
      options.onState('live');
    };
    onChunk();
    return { reaction: await readEvents(response, receive, onChunk), received, retryAfterMs: 0 };
  } catch {
    // The connection was lost: the caller reconnects from the last event.
    return { reaction: 'continue', received, retryAfterMs: 0 };
  } finally {
    clearTimeout(timer);
    clearTimeout(stall);
  }
}

/**
 * Reads a stream of events until the receiver stops it, the server refuses it or the signal aborts. After a lost connection, an
 * error or a gap, requests it again from the last event, with exponential backoff from 0.5 s to 15 s while no events arrive.
 */
export async function followStream(options: StreamOptions): Promise<void> {
  let state = 'connecting' as StreamState;
  const report = (next: StreamState, status?: number) => {
    if (next === state && next !== 'connecting') return;
    state = next;
    options.onState(next, status);
  };
  report('connecting');
  for (let failures = 0; !options.signal.aborted; ) {
    const attempt = await connectOnce({ ...options, onState: report });
    if (options.signal.aborted) return;
    if (attempt.reaction === 'stop') {
      if (state !== 'refused') report('ended');
      return;
    }
    failures = attempt.received ? 0 : failures + 1;
    report('retrying');
    const backOffMs =
      attempt.reaction === 'reconnect' && attempt.received ? 0 : MIN_WAIT_MS * 2 ** Math.min(failures, 5);
    await options.wait(Math.max(Math.min(backOffMs, MAX_WAIT_MS), attempt.retryAfterMs), options.signal);
  }
}

/** One server-sent event; `id` is null if the event has none. */
export type ServerEvent = { id: string | null; type: string; data: string };

const MAX_BUFFER_LENGTH = 4 * 1024 * 1024;

/** Creates an incremental parser of a text/event-stream (HTML standard, "Interpreting an event stream"). It throws RangeError beyond 4 MiB without a line end. */
export function createEventParser(): (text: string) => ServerEvent[] {
  let buffer = '';
  let id: string | null = null;
  let type = '';
  let data: string[] = [];

  function readLine(line: string): ServerEvent | null {
    if (line === '') {
      const event = data.length > 0 ? { id, type: type === '' ? 'message' : type, data: data.join('\n') } : null;
      [id, type, data] = [null, '', []];
      return event;
    }
    if (line.startsWith(':')) return null;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
    return null;
  }

  return (text) => {
    buffer += text;
    if (buffer.length > MAX_BUFFER_LENGTH) throw new RangeError('an event is longer than 4 MiB');
    // A carriage return at the end may be the first half of a CRLF.
    const usable = buffer.endsWith('\r') ? buffer.slice(0, -1) : buffer;
    const lines = usable.split(/\r\n|\r|\n/);
    buffer = (lines.pop() ?? '') + buffer.slice(usable.length);
    return lines.map(readLine).filter((event) => event !== null);
  };
}
