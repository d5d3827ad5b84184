import { createCauseLog } from '@husky/runtime/process/cause-log';
import type { Logger } from '@husky/runtime/process/logger';
import { jitteredRetryAfterS } from '@husky/runtime/rpc/admission';
import { DomainError, type ErrorCode, messageOf } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import type { z } from 'zod';

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** A refusal by the gateway, with its HTTP status. */
export class HttpError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    reason: string,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.reason = reason;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

const httpStatus: Record<ErrorCode, number> = {
  INVALID_ARGUMENT: 400,
  OUT_OF_RANGE: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
  CANCELLED: 503,
  INTERNAL: 500,
};

// Exceptions from the table above (docs/rest-api.md).
const statusOfReason: Record<string, number> = {
  'username-taken': 400,
  'email-taken': 400,
  'seed-not-published': 409,
  'not-committed': 409,
  'match-not-finished': 409,
  'file-too-large': 413,
  'idempotency-key-reused': 422,
};

/** Creates a temporary redirect to a path, for what has another address now. */
export const movedTo = (path: string): HttpError =>
  new HttpError(307, 'moved', `This is at ${path} now`, { headers: { Location: path } });

/** Creates the error of a request whose client disconnected before its body had arrived. */
export const disconnected = (): DomainError =>
  new DomainError('CANCELLED', 'disconnected', 'The client has disconnected');

/** nginx's status for a client that has disconnected, in logs and metrics. */
const clientClosedRequest = 499;

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DomainError) {
    const status = statusOfReason[error.reason] ?? httpStatus[error.code];
    const detail = status === 500 ? 'Internal server error' : error.message;
    const headers: Record<string, string> = {};
    if (error.retryAfterS !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfterS));
    if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
    return new HttpError(status, error.reason, detail, { headers });
  }
  return new HttpError(500, 'internal', 'Internal server error');
}

/** Converts a schema's issues to a 422. */
export function validationError(where: string, error: z.ZodError): HttpError {
  return refusedFields(error.issues.flatMap((issue) => fieldErrors(where, issue)));
}

function fieldErrors(where: string, issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a field of this call' }));
  }
  const unknown = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  const found = unknown
    .filter(({ code }) => code === 'unrecognized_keys')
    .flatMap((inner) => fieldErrors(where, inner));
  return found.length > 0 ? found : [{ path: issue.path.join('.') || where, message: issue.message }];
}

/** Creates a 422: the first error as a sentence, all as a list. */
export function refusedFields(errors: readonly FieldError[]): HttpError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new HttpError(422, 'validation', `${first?.path ?? 'body'}: ${first?.message ?? 'is not valid'}${more}`, {
    errors,
  });
}

/**
 * Returns Retry-After for a 503 without one, except of a write that was begun: it may have had its effect, so that its caller must decide
 * (Route.harmless, Route.repeatable). A refusal before that names its time itself.
 */
function adviseRetry({ state }: Koa.Context, { status, headers }: HttpError): Record<string, string> {
  if (status !== 503 || headers['Retry-After'] !== undefined || state.mayNotRepeat === true) return {};
  return { 'Retry-After': String(jitteredRetryAfterS()) };
}

/** Converts every error to a response `{detail, reason, errors?}`. Logs server errors, a line a minute for each cause. */
export function errorMiddleware(log: Logger): Koa.Middleware {
  const logCause = createCauseLog(log);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'CANCELLED' && ctx.res.destroyed) {
        // The client has disconnected. This is not a server error and must not count against the objectives.
        ctx.status = clientClosedRequest;
        return;
      }
      const refused = toHttpError(error);
      if (refused.status >= 500) {
        const cause = `${refused.status} ${refused.reason}: ${messageOf(error)}`;
        const fields = { err: error, path: ctx.path, requestId: ctx.state.requestId };
        logCause(error instanceof HttpError ? 'warn' : 'error', cause, fields, `${ctx.method} ${ctx.path}: ${cause}`);
      }
      ctx.status = refused.status;
      ctx.set({ ...refused.headers, ...adviseRetry(ctx, refused) });
      ctx.set('Cache-Control', 'no-store');
      ctx.body = {
        detail: refused.message,
        reason: refused.reason,
        ...(refused.errors ? { errors: refused.errors } : {}),
        ...(ctx.state.carriesStatusCode ? { status_code: refused.status, error: refused.message } : {}),
      };
    }
  };
}
