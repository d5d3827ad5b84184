import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import { admin, anyone, type Rule, signedIn, verified } from '@husky/runtime/rpc/access';
import { withinCall } from '@husky/runtime/rpc/call-context';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { currentParty, withParty } from '@husky/runtime/rpc/party';
import { withRequestKey } from '@husky/runtime/rpc/request-key';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { isApiToken } from '../sessions.ts';
import type { Admissions, WriteKind } from './admission.ts';
import { type HeldBody, hasBody } from './body-budget.ts';
import { HttpError, refusedFields, validationError } from './errors.ts';
import { parseJson, readText } from './json-body.ts';
import { readFiles, type UploadedFile } from './multipart.ts';
import { classOf, type RateLimiter } from './rate-limits.ts';
import { requestKeyOf } from './request-key.ts';
import { bearerOf } from './request-party.ts';
import { type Access, asReply, type Route, type Shared, type TokenScope } from './route.ts';
import { createRouteTable, type RouteMatch } from './route-table.ts';
import { createSharedResponse, sendShared } from './shared-response.ts';
import { findUnstorable } from './unstorable-values.ts';

const maxUrlCharacters = 8192;

const rules = { anyone, 'signed-in': signedIn, verified, admin } satisfies Record<Access, Rule>;

/** What all requests have in common. */
interface Edge {
  readonly context: Context;
  readonly limiter: RateLimiter;
  readonly admissions: Admissions;
}

/** The route of a request. */
interface Match {
  readonly route: Route;
  readonly pathParams: RouteMatch['params'];
}

/** The body of a request, not yet parsed. */
interface Content {
  readonly files: ReadonlyMap<string, UploadedFile>;
  readonly text: string;
}

/** Creates the middleware that serves the routes: checks rate limits, session, access and schema, then calls the handler. */
export function dispatcher(
  routes: readonly Route[],
  context: Context,
  limiter: RateLimiter,
  admissions: Admissions,
): Koa.Middleware {
  const find = createRouteTable(routes);
  const edge = { context, limiter, admissions };
  return async (ctx) => {
    const found = find(ctx.path);
    const route = found?.methods.get(ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase());
    const { account } = currentParty();
    await limiter.byAddress(
      ctx,
      route,
      classOf(ctx.method, route) === 'sign-ins' ? context.devices.idOf(ctx) : account,
    );
    if (ctx.url.length > maxUrlCharacters) throw new HttpError(414, 'url-too-long', 'The address is too long');
    if (!found) throw new HttpError(404, 'not-found', 'Not Found');
    if (route) return serve({ route, pathParams: found.params }, ctx, edge);
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

async function serve(match: Match, ctx: Koa.Context, edge: Edge): Promise<void> {
  const { route } = match;
  ctx.state.carriesStatusCode = route.carriesStatusCode === true;
  ctx.state.route = route.path;
  // A body is read at once, also while the caller is identified: Node takes up to a hundred times the size of one that waits.
  if (!route.body && !route.multipart) {
    if (hasBody(ctx.req)) ctx.req.resume();
    return answer(match, noContent, ctx, edge);
  }
  const held = edge.admissions.bodies.open(ctx, kindOf(route));
  const content = receive(route, held, ctx);
  // The rest of a refused body is discarded.
  content.catch(() => ctx.req.resume());
  try {
    await answer(match, content, ctx, edge);
  } finally {
    held.release();
  }
}

const noContent: Promise<Content> = Promise.resolve({ files: new Map(), text: '' });

async function receive({ multipart }: Route, held: HeldBody, ctx: Koa.Context): Promise<Content> {
  if (multipart) return { files: await readFiles(multipart, held, ctx), text: '' };
  return { files: new Map(), text: await readText(held, ctx) };
}

/** Rejects when a body is refused because of overload: its client waits only 2 s for the refusal. Never resolves. */
const overloadOf = (content: Promise<Content>): Promise<never> =>
  new Promise((_, reject) => {
    content.catch((error: unknown) => {
      if (error instanceof DomainError && error.reason === 'overloaded') reject(error);
    });
  });

async function answer(match: Match, content: Promise<Content>, ctx: Koa.Context, edge: Edge): Promise<void> {
  const token = bearerOf(ctx.get('authorization'));
  const identifying = identifyCaller(token, match.route, edge.context);
  const identified = { ...(await Promise.race([identifying, overloadOf(content)])), token };
  const { caller } = identified;
  const party = { ...currentParty(), account: caller.kind === 'user' ? caller.id : '' };
  await withParty(party, () => answerCaller(match, content, identified, ctx, edge));
}

async function answerCaller(
  { route, pathParams }: Match,
  content: Promise<Content>,
  { caller, authUnavailable, token }: Identified & { readonly token: string | undefined },
  ctx: Koa.Context,
  { context, limiter, admissions }: Edge,
): Promise<void> {
  await limiter.byAccount(ctx, route, caller);
  rules[route.access](caller);
  if (route.shared && !authUnavailable && (route.shared.among === 'everyone' || caller.kind === 'anonymous')) {
    return serveShared(route, route.shared, pathParams, ctx, context);
  }
  const params = parse('path', route.params, pathParams);
  const query = parse('query', route.query, ctx.query);
  const { files, text } = await content;
  const body = route.body ? parseBody(route.body, parseJson(text, ctx)) : undefined;
  const input = { params, query, body, files, caller, token, address: ctx.ip, context, koa: ctx };
  const key = requestKeyOf(route, input);
  ctx.state.mayNotRepeat = route.method !== 'get' && !route.harmless && key === undefined;
  const runHandler = () => withRequestKey(key, () => handle(route, input, authUnavailable));
  const result = asReply(
    route.method === 'get'
      ? await whileConnected(ctx, runHandler)
      : await write(route, runHandler, context, admissions),
  );
  if (result.headers) ctx.set({ ...result.headers });
  if (route.storable) {
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.vary('Authorization');
  } else if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store');
  if (ctx.respond === false || result.body === undefined) {
    if (result.status) ctx.status = result.status;
    return;
  }
  ctx.status = result.status ?? route.successStatus ?? 200;
  ctx.body = route.carriesStatusCode ? { ...(result.body as object), status_code: 200 } : result.body;
}

/**
 * Sends a response that callers share. The handler runs as an anonymous caller, so the response has nothing that only some callers may
 * read.
 */
async function serveShared(
  route: Route,
  shared: Shared,
  pathParams: RouteMatch['params'],
  ctx: Koa.Context,
  context: Context,
): Promise<void> {
  const params = parse('path', route.params, pathParams);
  const query = parse('query', route.query, ctx.query);
  // Without the parameters that the handler ignores, which would make any number of keys.
  const key = `${ctx.path}?${JSON.stringify(query ?? {})}`;
  const response = await context.publicResponses.find(key, shared.match?.(pathParams), async () => {
    const input = { params, query, files: new Map(), caller: anonymous, token: undefined, context };
    return createSharedResponse(asReply(await handle(route, input, undefined)));
  });
  await sendShared(ctx, response);
}

interface Identified {
  readonly caller: Caller;
  /** Set when auth could not check the token and the call continues as anonymous. */
  readonly authUnavailable?: DomainError;
}

const anonymous: Caller = { kind: 'anonymous' };

/**
 * Identifies the caller by a bearer token. Without a token the caller is anonymous; on a route for anyone also with an invalid session
 * token. Elsewhere throws UNAUTHENTICATED for an invalid token.
 */
async function identifyCaller(
  token: string | undefined,
  { access, tokenScope }: Route,
  context: Context,
): Promise<Identified> {
  if (token === undefined) return { caller: anonymous };
  try {
    if (isApiToken(token)) {
      const { user, scopes } = await context.sessions.identifyApiToken(token);
      return { caller: apiTokenCaller(user, scopes, access, tokenScope) };
    }
    const user = await context.sessions.identify(token);
    if (user) {
      const { id, username, admin, isVerified: verified } = user;
      return { caller: { kind: 'user', id, username, admin, verified } };
    }
  } catch (error) {
    const unavailable = error instanceof DomainError && error.code === 'UNAVAILABLE';
    if (!unavailable || access !== 'anyone') throw error;
    return { caller: anonymous, authUnavailable: error };
  }
  if (access === 'anyone') return { caller: anonymous };
  // The refusal makes the browser drop a stale token.
  throw new DomainError('UNAUTHENTICATED', 'bad-token', 'Invalid or expired token');
}

/**
 * Creates the caller of an access token, always without admin rights. A route that accepts no tokens treats it as anonymous where anyone
 * may call. Otherwise throws PERMISSION_DENIED if the route does not accept the token.
 */
function apiTokenCaller(
  { id, username, isVerified: verified }: User__Output,
  scopes: readonly string[],
  access: Access,
  needed: TokenScope | undefined,
): Caller {
  if (needed === undefined) {
    if (access === 'anyone') return anonymous;
    const message = 'This call does not accept access tokens: sign in on the site';
    throw new DomainError('PERMISSION_DENIED', 'needs-session', message);
  }
  if (needed !== 'any' && !scopes.includes(needed)) {
    const message = `This access token has no scope '${needed}': make one with it on your account page`;
    throw new DomainError('PERMISSION_DENIED', 'missing-scope', message);
  }
  return { kind: 'user', id, username, admin: false, verified, scopes };
}

// Without auth the caller may still be the owner, so these refusals would mislead: auth's 503 is sent instead.
const accessRefusals = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND']);

async function handle(route: Route, input: object, authUnavailable: DomainError | undefined): Promise<unknown> {
  try {
    return await route.handle(input as never);
  } catch (error) {
    const refused = error instanceof DomainError && accessRefusals.has(error.code);
    throw authUnavailable && refused ? authUnavailable : error;
  }
}

function kindOf(route: Route): WriteKind {
  if (route.multipart) return 'uploads';
  return classOf(route.method, route) === 'sign-ins' ? 'sign-ins' : 'writes';
}

/**
 * Runs a write and discards cached responses afterwards, so that its caller reads its effect at once. Discards them after a failure
 * too: a part of the write may have taken effect.
 */
async function write<T>(
  route: Route,
  work: () => Promise<T>,
  { publicResponses, appliedJobs }: Context,
  admissions: Admissions,
): Promise<T> {
  try {
    return await admissions.write(kindOf(route), work);
  } finally {
    if (route.changesShared !== false) {
      publicResponses.forgetRecent();
      appliedJobs.forget();
    }
  }
}

/** Runs a read and cancels its calls to services when the client disconnects. Writes are not cancelled. */
async function whileConnected<T>(ctx: Koa.Context, work: () => Promise<T>): Promise<T> {
  const closed = new AbortController();
  const abort = () => closed.abort();
  // The client may have disconnected while its caller was identified.
  if (ctx.res.closed) abort();
  ctx.res.once('close', abort);
  try {
    return await withinCall({ signal: closed.signal }, work);
  } finally {
    ctx.res.off('close', abort);
  }
}

const textOfMissing: z.core.$ZodErrorMap = ({ code, input }) =>
  code === 'invalid_type' && input === undefined ? 'is missing' : undefined;

/** Checks the value as it was sent: a schema drops some keys. */
function parseBody(schema: z.ZodType, value: unknown): unknown {
  refuseUnstorable('body', value);
  return parse('body', schema, value);
}

function parse(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { error: textOfMissing });
  if (!result.success) throw validationError(where, result.error);
  refuseUnstorable(where, result.data);
  return result.data;
}

function refuseUnstorable(where: string, value: unknown): void {
  const problem = findUnstorable(value);
  if (problem) throw refusedFields([{ ...problem, path: problem.path || where }]);
}
