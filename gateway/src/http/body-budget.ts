import type { IncomingMessage } from 'node:http';
import { overloaded } from '@husky/runtime/rpc/admission';
import { currentParty, type Party } from '@husky/runtime/rpc/party';
import type Koa from 'koa';

/**
 * Maximum size of all request bodies in memory: the files of 32 uploads (MAX_CONCURRENT_UPLOADS) of 2 MiB. It is an eighth of the chart's
 * memory limit of the gateway.
 */
const maxBytes = 64 * 2 ** 20;
/** Maximum size of the bodies of one client address, so that no client takes all of it. */
const maxBytesOfAddress = maxBytes / 4;
/** What each account may hold although its address is at the limit, up to twice that limit: a file of an upload. */
const reserveOfAccount = 2 * 2 ** 20;
/** Not counted, so that sign-ins are accepted while the budget is used up. 10,000 connections take 40 MiB. */
const freeBytes = 4 * 1024;

/** A body's content, of any number of parts. */
export interface BodyBuffer {
  /** Copies a part. Throws 503 beyond the budget. */
  append(part: Buffer): void;
  /** In bytes. */
  readonly size: number;
  readonly content: Buffer;
}

interface Stored {
  bytes: Buffer;
  size: number;
}
const none = Buffer.alloc(0);

/** The part of the budget that one request takes. */
export interface HeldBody {
  createBuffer(): BodyBuffer;
  /** Call it when the request has been handled. Idempotent. Empties the buffers; later parts are dropped. */
  release(): void;
}

/** Bounds the memory of request bodies, in this process and for each client address. */
export interface BodyBudget {
  /** Opens a request's body. Read it at once: what has arrived unread does not count. */
  open(ctx: Koa.Context, kind: string): HeldBody;
}

/** Creates the budget. `countRefusal` is called for each refusal with the request's kind. */
export function createBodyBudget(countRefusal: (kind: string) => void): BodyBudget {
  const bytesOf = new Map<string, number>();
  let total = 0;

  /** Counts bytes for an address and an account (empty: none). Returns false beyond the budget, and then does not count them. */
  function take({ address, account }: Party, bytes: number): boolean {
    const ofAddress = (bytesOf.get(address) ?? 0) + bytes;
    const ofAccount = (bytesOf.get(`account ${account}`) ?? 0) + bytes;
    const hasReserve = account !== '' && ofAccount <= reserveOfAccount && ofAddress <= 2 * maxBytesOfAddress;
    if (bytes > 0 && (total + bytes > maxBytes || (ofAddress > maxBytesOfAddress && !hasReserve))) return false;
    total += bytes;
    for (const [key, sum] of [[address, ofAddress] as const, [`account ${account}`, ofAccount] as const]) {
      if (sum > 0) bytesOf.set(key, sum);
      else bytesOf.delete(key);
    }
    return true;
  }

  return {
    open(ctx, kind) {
      const party = currentParty();
      let counted = 0;
      let buffered = 0;
      let released = false;
      const all: Stored[] = [];

      function count(bytes: number): void {
        const beyondFree = Math.max(0, bytes - freeBytes);
        if (!take(party, beyondFree - counted)) {
          countRefusal(kind);
          cutOff(ctx.req);
          throw overloaded();
        }
        counted = beyondFree;
      }

      function createBuffer(): BodyBuffer {
        const stored: Stored = { bytes: none, size: 0 };
        all.push(stored);
        return {
          append(part) {
            if (released) return;
            const { bytes, size } = stored;
            if (size + part.length > bytes.length) {
              let capacity = Math.max(bytes.length, freeBytes);
              while (capacity < size + part.length) capacity *= 2;
              count(buffered + capacity - bytes.length);
              buffered += capacity - bytes.length;
              stored.bytes = Buffer.allocUnsafeSlow(capacity);
              bytes.copy(stored.bytes, 0, 0, size);
            }
            // Parts are not kept: one of a single byte takes a hundred times its size.
            stored.size += part.copy(stored.bytes, size);
          },
          get size() {
            return stored.size;
          },
          get content() {
            return stored.bytes.subarray(0, stored.size);
          },
        };
      }

      return {
        createBuffer,
        release() {
          if (released) return;
          released = true;
          take(party, -counted);
          // The listeners of an unfinished request keep its buffers until its client sends the rest.
          for (const stored of all) Object.assign(stored, { bytes: none, size: 0 });
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
