import type { Caller } from '@husky/runtime/caller';
import { requireAdmin, requireUser, requireVerified } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import Router from '@koa/router';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { HttpError, validationError } from './errors.ts';
import { readJson } from './json-body.ts';
import { readMultipart, type UploadedFile } from './multipart.ts';
import { type Access, asReply, type Route } from './route.ts';

/** A Koa router that serves the routes: caller, access, schema, then the handler. */
export function dispatcher(routes: readonly Route[], context: Context): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  for (const definition of routes) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router[definition.method](path, (ctx) => serve(definition, ctx, context));
  }
  const allowed = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = [...(allowed.get(path) ?? []), method.toUpperCase(), ...(method === 'get' ? ['HEAD'] : [])];
    allowed.set(path, methods);
  }
  const patterns = [...allowed].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
  const match = router.routes();
  return async (ctx, next) => {
    let served = true;
    await match(ctx as never, async () => {
      served = false;
    });
    if (served) return;
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
    const methods = patterns.find(({ pattern }) => pattern.test(ctx.path))?.methods;
    if (methods) {
      const headers = { Allow: methods.join(', ') };
      throw new HttpError(405, 'method-not-allowed', `${ctx.method} is not allowed here`, { headers });
    }
    throw new HttpError(404, 'not-found', 'Not Found');
  };
}

async function serve(route: Route, ctx: Koa.Context, context: Context): Promise<void> {
  ctx.state.carriesStatusCode = route.carriesStatusCode === true;
  ctx.state.route = route.path;
  const token = bearerOf(ctx);
  const caller = await callerOf(token, route.access, context);
  requireAccess(route.access, caller);
  const params = parse('path', route.params, ctx.params);
  const query = parse('query', route.query, ctx.query);
  const files = route.multipart ? await requiredFiles(route.multipart, ctx) : new Map<string, UploadedFile>();
  const body = route.body ? parse('body', route.body, await readJson(ctx)) : undefined;
  const input = { params, query, body, files, caller, token, address: ctx.ip, context, koa: ctx };
  const result = asReply(await route.handle(input as never));
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

async function callerOf(token: string | undefined, access: Access, context: Context): Promise<Caller> {
  if (token === undefined) return { kind: 'anonymous' };
  const user = await context.sessions.identify(token);
  if (user) {
    return { kind: 'user', id: user.id, username: user.username, admin: user.admin, verified: user.isVerified };
  }
  // A stale token on a page for everybody counts as none; elsewhere it is said, so that the browser drops it.
  if (access === 'anyone') return { kind: 'anonymous' };
  throw new DomainError('UNAUTHENTICATED', 'bad-token', 'Invalid or expired token');
}

function requireAccess(access: Access, caller: Caller): void {
  if (access === 'signed-in') requireUser(caller);
  if (access === 'verified') requireVerified(caller);
  if (access === 'admin') requireAdmin(caller);
}

function parse(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw validationError(where, result.error);
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
