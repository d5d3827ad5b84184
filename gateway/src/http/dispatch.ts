import { admin, anyone, type Rule, signedIn, verified } from '@husky/runtime/access';
import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { HttpError, refusedFields, validationError } from './errors.ts';
import { readJson } from './json-body.ts';
import { readMultipart, type UploadedFile } from './multipart.ts';
import { unstorable } from './plain-values.ts';
import type { RateLimiter } from './rate-limits.ts';
import { type Access, asReply, type Route } from './route.ts';
import { type Found, routeTable } from './route-table.ts';

/** Longest path and query that is read. */
const mostUrlCharacters = 8192;

const rules = { anyone, 'signed-in': signedIn, verified, admin } satisfies Record<Access, Rule>;

/** Serves the routes: limits, caller, access, schema, then the handler. */
export function dispatcher(routes: readonly Route[], context: Context, limiter: RateLimiter): Koa.Middleware {
  const find = routeTable(routes);
  return async (ctx) => {
    const found = find(ctx.path);
    const route = found?.methods.get(ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase());
    await limiter.byAddress(ctx, route);
    if (ctx.url.length > mostUrlCharacters) throw new HttpError(414, 'url-too-long', 'The address is too long');
    if (!found) throw new HttpError(404, 'not-found', 'Not Found');
    if (route) return serve(route, found.params, ctx, context, limiter);
    const allow = [...found.methods.keys()].flatMap((method) =>
      method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
    );
    const headers = { Allow: allow.join(', ') };
    if (ctx.method !== 'OPTIONS') {
      throw new HttpError(405, 'method-not-allowed', `${ctx.method} is not allowed here`, { headers });
    }
    ctx.set(headers);
    ctx.status = 204;
  };
}

async function serve(
  route: Route,
  pathParams: Found['params'],
  ctx: Koa.Context,
  context: Context,
  limiter: RateLimiter,
): Promise<void> {
  ctx.state.carriesStatusCode = route.carriesStatusCode === true;
  ctx.state.route = route.path;
  const token = bearerOf(ctx);
  const { caller, unasked } = await callerOf(token, route.access, context);
  await limiter.byAccount(ctx, route, caller);
  rules[route.access](caller);
  const params = parse('path', route.params, pathParams);
  const query = parse('query', route.query, ctx.query);
  const files = route.multipart ? await requiredFiles(route.multipart, ctx) : new Map<string, UploadedFile>();
  const body = route.body ? parse('body', route.body, await readJson(ctx)) : undefined;
  const input = { params, query, body, files, caller, token, address: ctx.ip, context, koa: ctx };
  const result = asReply(await handle(route, input, unasked));
  if (result.headers) ctx.set({ ...result.headers });
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store');
  if (ctx.respond === false || result.body === undefined) {
    if (result.status) ctx.status = result.status;
    return;
  }
  ctx.status = result.status ?? route.successStatus ?? 200;
  ctx.body = route.carriesStatusCode ? { ...(result.body as object), status_code: 200 } : result.body;
}

function bearerOf(ctx: Koa.Context): string | undefined {
  const [scheme, token] = ctx.get('authorization').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

interface Asked {
  readonly caller: Caller;
  /** Why nobody could be asked whose token it is, where the call goes on all the same, as anybody's. */
  readonly unasked?: DomainError;
}

const anybody: Caller = { kind: 'anonymous' };

async function callerOf(token: string | undefined, access: Access, context: Context): Promise<Asked> {
  if (token === undefined) return { caller: anybody };
  try {
    const user = await context.sessions.identify(token);
    if (user) {
      const { id, username, admin, isVerified: verified } = user;
      return { caller: { kind: 'user', id, username, admin, verified } };
    }
  } catch (error) {
    const away = error instanceof DomainError && error.code === 'UNAVAILABLE';
    if (!away || access !== 'anyone') throw error;
    return { caller: anybody, unasked: error };
  }
  // A stale token on a page for everybody counts as none; elsewhere it is said, so that the browser drops it.
  if (access === 'anyone') return { caller: anybody };
  throw new DomainError('UNAUTHENTICATED', 'bad-token', 'Invalid or expired token');
}

// Whom an answer is kept from as anybody may be its owner: what they get is why they could not be asked.
const ofOwners = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND']);

async function handle(route: Route, input: object, unasked: DomainError | undefined): Promise<unknown> {
  try {
    return await route.handle(input as never);
  } catch (error) {
    throw unasked && error instanceof DomainError && ofOwners.has(error.code) ? unasked : error;
  }
}

function parse(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw validationError(where, result.error);
  const wrong = unstorable(result.data);
  if (wrong) throw refusedFields([{ ...wrong, path: wrong.path || where }]);
  return result.data;
}

async function requiredFiles(
  wanted: Readonly<Record<string, readonly string[]>>,
  ctx: Koa.Context,
): Promise<Map<string, UploadedFile>> {
  const given = await readMultipart(ctx);
  const files = new Map<string, UploadedFile>();
  for (const [name, fields] of Object.entries(wanted)) {
    const field = fields.find((candidate) => given.has(candidate));
    const file = field === undefined ? undefined : given.get(field);
    if (!file) {
      throw new HttpError(422, 'validation', 'Both player.py and requirements.txt must be provided', {
        errors: [{ path: fields[0] ?? name, message: `the file ${name} is missing` }],
      });
    }
    if (file.fileName !== name) {
      const given = JSON.stringify(file.fileName.slice(0, 80));
      throw new HttpError(400, 'file-name', `The file in ${field} must be named ${name}, not ${given}`);
    }
    files.set(name, file);
  }
  return files;
}
