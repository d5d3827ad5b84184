import { connect, type Socket } from 'node:net';

/** Longest line a seat may send, in bytes. */
export const maxLineBytes = 4096;
const readBytes = 16 << 10;

/** Kinds of a reply without an action. EXCEPTION: get_action raised one. NO_ACTION: it returned a value that is not an action with an amount. */
export const EXCEPTION = 0;
export const NO_ACTION = -1;
/** Callbacks of which a bot need not be told. */
const skippable = ['on_round_start', 'on_end_round', 'on_end_game'] as const;
export type Skippable = (typeof skippable)[number];
const callbacks: readonly unknown[] = ['set_id', 'on_start', ...skippable];

const isSkippable = (value: unknown): value is Skippable => (skippable as readonly unknown[]).includes(value);

/** The reply to question `seq`. Without an action (EXCEPTION, NO_ACTION) `amount` is a text that describes the problem. */
export interface Reply {
  readonly type: 'reply';
  readonly seq: number;
  readonly kind: number;
  readonly amount: number | string;
}

/**
 * A line of a seat; fixtures/seat-protocol.json has an example of each. A failed call is a callback that raised an exception in a hand;
 * a needed one is a callback that was skipped so far.
 */
export type SeatMessage =
  | Reply
  | { readonly type: 'ready'; readonly loadMs: number; readonly skips: readonly Skippable[] }
  | { readonly type: 'needed'; readonly method: Skippable }
  | { readonly type: 'load error'; readonly error: string }
  | { readonly type: 'failed call'; readonly method: string; readonly text: string; readonly hand: number };

/** Parses a line of a seat. Returns null for a line that is not part of the protocol. */
export function parseMessage(line: string): SeatMessage | null {
  const value = parseJson(line);
  if (!Array.isArray(value)) return parseReady(value);
  const [first, second, third, fourth] = value as unknown[];
  if (value.length === 3 && typeof first === 'number' && typeof second === 'number') {
    const amountType = second === EXCEPTION || second === NO_ACTION ? 'string' : 'number';
    if (typeof third !== amountType) return null;
    return { type: 'reply', seq: first, kind: second, amount: third as number | string };
  }
  if (value.length === 2 && first === '+' && isSkippable(second)) return { type: 'needed', method: second };
  if (value.length !== 4 || first !== '!' || !callbacks.includes(second) || typeof third !== 'string') return null;
  if (!Number.isSafeInteger(fourth) || (fourth as number) < 1) return null;
  return { type: 'failed call', method: second as string, text: third, hand: fourth as number };
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
/** A number with at most this many digits is exact. */
const maxDigits = 15;

/**
 * Parses bytes that are exactly one line `[seq,kind,amount]` with an action and whole numbers from 0. Nearly every read is such a line.
 * Returns null for anything else, which `parseMessage` parses.
 */
export function parseReply(bytes: Uint8Array, count: number): Reply | null {
  if (bytes[0] !== OPEN || bytes[count - 1] !== NEWLINE || bytes[count - 2] !== CLOSE) return null;
  let seq = -1;
  let kind = -1;
  let value = 0;
  let digits = 0;
  for (let at = 1; at < count - 1; at++) {
    const byte = bytes[at] as number;
    const digit = byte - 0x30;
    if (digit >= 0 && digit <= 9) {
      if (digits === maxDigits || (digits === 1 && value === 0)) return null;
      value = 10 * value + digit;
      digits += 1;
      continue;
    }
    if (digits === 0 || (byte === CLOSE ? kind <= EXCEPTION || at !== count - 2 : byte !== COMMA || kind >= 0))
      return null;
    if (byte === CLOSE) break;
    if (seq < 0) seq = value;
    else kind = value;
    value = 0;
    digits = 0;
  }
  return { type: 'reply', seq, kind, amount: value };
}

function parseReady(value: unknown): SeatMessage | null {
  const { ready, load_ms: loadMs, skips, error, line } = (value ?? {}) as Record<string, unknown>;
  if (ready === true && typeof loadMs === 'number' && Array.isArray(skips) && skips.every(isSkippable))
    return { type: 'ready', loadMs, skips };
  if (ready !== false || typeof error !== 'string') return null;
  return { type: 'load error', error: typeof line === 'number' ? `${error} (line ${line})` : error };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export interface LinkListener {
  /** A complete line; null when it is not part of the protocol. */
  onMessage(message: SeatMessage | null): void;
  /** The seat sent a line above `maxLineBytes`. */
  onEndlessLine(): void;
  /** The connection has ended; not called after `close`. */
  onEnd(): void;
}

/** The dealer's end of one seat's socket. */
export class SeatLink {
  readonly #socket: Socket;
  readonly #listener: LinkListener;
  #rest = '';
  #over = false;

  constructor(path: string, listener: LinkListener) {
    this.#listener = listener;
    this.#socket = connect({
      path,
      // One buffer for the connection's life: no allocation per read.
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (count, buffer) => {
          const reply = this.#rest === '' ? parseReply(buffer, count) : null;
          if (reply === null) this.#receive((buffer as Buffer).toString('latin1', 0, count));
          else this.#listener.onMessage(reply);
          return !this.#over;
        },
      },
    });
    // After an error the socket closes.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#end());
    this.#socket.on('end', () => this.#end());
  }

  /** Number of sent bytes that are still in this process, because the seat does not read and the kernel's buffer is full. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Sends `[seq, [event, ...]]` in one write; `events` is ASCII JSON. The seat replies to a line with an "a" event. No-op after the end. */
  send(seq: number, events: string): void {
    this.#socket.write(`[${seq},[${events}]]\n`, 'latin1');
  }

  /** Half-closes the connection: the seat exits once it has read everything. */
  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#over = true;
    this.#socket.destroy();
  }

  #end(): void {
    if (this.#over) return;
    this.close();
    this.#listener.onEnd();
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      if (this.#over) return;
      if (line.length > maxLineBytes) {
        this.#listener.onEndlessLine();
        return;
      }
      this.#listener.onMessage(parseMessage(line));
    }
    if (this.#rest.length > maxLineBytes && !this.#over) this.#listener.onEndlessLine();
  }
}
