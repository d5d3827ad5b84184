import type { Caller } from '@husky/runtime/caller';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { UploadedFile } from './multipart.ts';

/** Who may call: checked at the edge and again by the service that owns the data. */
export type Access = 'anyone' | 'signed-in' | 'verified' | 'admin';

export interface Reply {
  /** HTTP status; default 200. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Parts of a multipart request, by field name. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  readonly caller: Caller;
  readonly token: string | undefined;
  /** The caller's address, as far as trusted proxies tell. */
  readonly address: string;
  readonly context: Context;
  readonly koa: Koa.Context;
}

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  /** OpenAPI style: /live/job/{id}/games */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Field names that a multipart request must carry: each with the names accepted for it. */
  readonly multipart?: Readonly<Record<string, readonly string[]>>;
  readonly response: z.ZodType | 'stream' | 'file' | 'redirect' | 'page';
  /** What a stream, file or page is, where its kind does not say it. */
  readonly contentTypes?: readonly string[];
  /** Statuses it may refuse with, beside those that follow from access and schema. */
  readonly refusals?: readonly number[];
  readonly successStatus?: number;
  /** Adds `status_code` to the response and `error` to a failure (docs/rest-api.md, rule 4). */
  readonly carriesStatusCode?: boolean;
  readonly handle: (input: RouteInput<never, never, never>) => Promise<Reply | unknown>;
}

interface TypedRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Omit<Route, 'handle' | 'params' | 'query' | 'body'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/** Declares one call of the REST contract; what `handle` returns is the body, or a Reply made by reply(). */
export function route<
  P extends z.ZodType = z.ZodNever,
  Q extends z.ZodType = z.ZodNever,
  B extends z.ZodType = z.ZodNever,
>(definition: TypedRoute<P, Q, B>): Route {
  return definition as unknown as Route;
}

const replies = new WeakSet<object>();

/** A reply with a status or headers of its own. */
export function reply(parts: Reply): Reply {
  replies.add(parts);
  return parts;
}

export function asReply(result: unknown): Reply {
  return typeof result === 'object' && result !== null && replies.has(result) ? (result as Reply) : { body: result };
}
