import type { Caller } from '@husky/runtime/rpc/caller';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { MultipartForm, UploadedFile } from './multipart.ts';

/** Who may call a route. Checked by the gateway and again by the service that owns the data. */
export type Access = 'anyone' | 'signed-in' | 'verified' | 'admin';

/** Scope that an access token needs; `any`: every token is accepted. */
export type TokenScope = 'read' | 'submit' | 'any';

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
  /** Files of a multipart request, by file name. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  readonly caller: Caller;
  readonly token: string | undefined;
  /** The caller's IP address; behind trusted proxies, the address that they report. */
  readonly address: string;
  readonly context: Context;
  readonly koa: Koa.Context;
}

/** Which callers share a route's responses. */
export interface Shared {
  /** `everyone`: the response is the same for every caller. `visitors`: only anonymous callers share it. */
  readonly among: 'everyone' | 'visitors';
  /** Returns the id of the match that the response is about, if the response is final once that match has finished. */
  readonly match?: (params: Readonly<Record<string, string>>) => string | undefined;
}

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  /** With parameters as in OpenAPI: /live/job/{id}/games */
  readonly path: string;
  readonly access: Access;
  /** Accepts access tokens with this scope, besides sessions. Without it they are refused, or ignored on routes for anyone. */
  readonly tokenScope?: TokenScope;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Files that a multipart request must contain. */
  readonly multipart?: MultipartForm;
  readonly response: z.ZodType | 'stream' | 'file' | 'redirect' | 'page';
  /** Media types, where `response` does not imply one. */
  readonly contentTypes?: readonly string[];
  /** Refusal statuses in addition to those implied by access and schema. */
  readonly refusals?: readonly number[];
  readonly successStatus?: number;
  /** The response may also have status 202: the rest is done in the background. */
  readonly accepts?: true;
  /** Accepts an Idempotency-Key: its handler calls one RPC that creates, and that keeps the key with what it creates. */
  readonly repeatable?: true;
  /** A write that its client may send again without a key: a second effect is none, or harms nobody. */
  readonly harmless?: true;
  /** Adds `status_code` to the response and `error` to a failure (docs/rest-api.md, rule 4). */
  readonly carriesStatusCode?: boolean;
  /** Browsers may store the response for its user and must revalidate it (ETag). Every other response is `no-store`. */
  readonly storable?: boolean;
  /**
   * Callers share responses that are at most 1 s old (public-responses.ts). They are computed as an anonymous caller, and clients
   * revalidate them like `storable` ones.
   */
  readonly shared?: Shared;
  /** false: this write changes no shared response. Every other write discards the shared responses of the last second. */
  readonly changesShared?: false;
  readonly handle: (input: RouteInput<never, never, never>) => Promise<Reply | unknown>;
}

interface TypedRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Omit<Route, 'method' | 'path' | 'handle' | 'params' | 'query' | 'body'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/**
 * Declares one call of the REST API by its method and path, such as `GET /live/job/{id}/games`. `handle` returns the body, or a
 * Reply created by reply().
 */
export function route<
  P extends z.ZodType = z.ZodNever,
  Q extends z.ZodType = z.ZodNever,
  B extends z.ZodType = z.ZodNever,
>(call: `${'GET' | 'POST' | 'DELETE'} /${string}`, definition: TypedRoute<P, Q, B>): Route {
  const [method, path] = call.split(' ');
  return { method: method?.toLowerCase(), path, ...definition } as unknown as Route;
}

const replies = new WeakSet<object>();

/** Creates a reply with its own status or headers. */
export function reply(parts: Reply): Reply {
  replies.add(parts);
  return parts;
}

/** Returns a CSV file as an attachment. */
export const csvFile = (name: string, body: string): Reply =>
  reply({
    body,
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${name}"` },
  });

export function asReply(result: unknown): Reply {
  return typeof result === 'object' && result !== null && replies.has(result) ? (result as Reply) : { body: result };
}
