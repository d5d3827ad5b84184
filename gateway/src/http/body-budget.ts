import type { IncomingMessage } from 'node:http';
import { createAdmission, overloaded } from '@husky/runtime/rpc/admission';
import { currentParty } from '@husky/runtime/rpc/party';
import type Koa from 'koa';

/** Maximum size of all request bodies in memory: the files of 32 uploads of 2 MiB, an eighth of the chart's memory limit of the gateway. */
const maxBytes = 64 * 2 ** 20;
const bytesOfUpload = 2 * 2 ** 20;
/** Not counted, so that sign-ins are accepted while the budget is used up. 10,000 connections take 40 MiB. */
const freeBytes = 4 * 1024;
const none = Buffer.alloc(0);

/** A body's content, of any number of parts. */
export class BodyBuffer {
  readonly #grow: (bytes: number) => void;
  #bytes: Buffer = none;
  #size = 0;
  #isClosed = false;

  constructor(grow: (bytes: number) => void) {
    this.#grow = grow;
  }

  /** Copies a part: kept, one of a single byte takes a hundred times its size. Throws 503 beyond the budget. */
  append(part: Buffer): void {
    if (this.#isClosed) return;
    const bytes = this.#bytes;
    let capacity = Math.max(bytes.length, freeBytes);
    while (capacity < this.#size + part.length) capacity *= 2;
    if (capacity > bytes.length) {
      this.#grow(capacity - bytes.length);
      this.#bytes = Buffer.allocUnsafeSlow(capacity);
      bytes.copy(this.#bytes, 0, 0, this.#size);
    }
    this.#size += part.copy(this.#bytes, this.#size);
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Empties it. Later parts are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#bytes = none;
    this.#size = 0;
  }
}

/** The part of the budget that one request takes. */
export interface HeldBody {
  createBuffer(): BodyBuffer;
  /** Call it when the request has been handled. Idempotent. Closes the buffers. */
  release(): void;
}

/** Bounds the memory of request bodies, in this process and for each client address. */
export interface BodyBudget {
  /** Opens a request's body. Read it at once: what has arrived unread does not count. */
  open(ctx: Koa.Context, kind: string): HeldBody;
}

/** Creates the budget. `countRefusal` is called for each refusal with the request's kind. */
export function createBodyBudget(countRefusal: (kind: string) => void): BodyBudget {
  const budget = createAdmission({
    limit: () => maxBytes,
    share: { account: Infinity, address: 1 / 4 },
    reserve: { account: bytesOfUpload, address: maxBytes / 2 },
  });
  return {
    open(ctx, kind) {
      const party = currentParty();
      const leaves: (() => void)[] = [];
      const buffers: BodyBuffer[] = [];
      let free = freeBytes;

      function grow(bytes: number): void {
        const counted = Math.max(0, bytes - free);
        free -= bytes - counted;
        const leave = counted === 0 ? undefined : budget.take('bodies', party, counted);
        if (typeof leave === 'string') {
          countRefusal(kind);
          cutOff(ctx.req);
          throw overloaded();
        }
        if (leave) leaves.push(leave);
      }

      return {
        createBuffer() {
          const buffer = new BodyBuffer(grow);
          buffers.push(buffer);
          return buffer;
        },
        release() {
          for (const leave of leaves) leave();
          // The listeners of an unfinished request keep its buffers until its client sends the rest.
          for (const buffer of buffers) buffer.close();
        },
      };
    },
  };
}

/** Returns whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Time for the client to read the refusal and send the rest of its body. */
const lingerMs = 2000;

/**
 * Discards the rest of a refused body, and closes the connection if it takes longer than 2 s. Closing at once would reset it, and the client
 * would lose the refusal.
 */
export function cutOff(request: IncomingMessage): void {
  request.resume();
  const close = () => {
    if (!request.complete) request.socket.destroy();
  };
  setTimeout(close, lingerMs).unref();
}
