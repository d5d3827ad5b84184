import { countAnsweredCalls, reportReachable, reportUnreachable } from './connection.ts';
import type { Renewed } from './token-renewal.ts';
import { getToken } from './token-store.ts';

/** A call without a whole answer after this long fails with status 0, reason TIMEOUT (specification, section 9). */
export const TIMEOUT_MS = 30_000;

/** The calls whose body carries a `status_code` of its own, which is 200 on success (specification, section 7). */
const CARRY_STATUS_CODE = new Set([
  '/sim/async_run',
  '/sim/async_run_user',
  '/submission/upload',
  '/submission/mark_final',
  '/submission/unmark_final',
]);

export type FieldError = { field: string; message: string };

type ErrorParts = {
  status: number;
  detail: string;
  reason?: string | undefined;
  errors?: FieldError[] | undefined;
  retryAfter?: number | undefined;
};

/** A failed call. `status` is 0 when no answer came; `detail` is the server's sentence or ''; `retryAfter` is in seconds. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly detail: string;
  readonly reason: string | undefined;
  readonly errors: FieldError[];
  readonly retryAfter: number | undefined;

  constructor(parts: ErrorParts, message?: string) {
    super(message ?? (parts.detail || `Request failed with status ${parts.status}`));
    this.status = parts.status;
    this.detail = parts.detail;
    this.reason = parts.reason;
    this.errors = parts.errors ?? [];
    this.retryAfter = parts.retryAfter;
  }
}

export type Query = Record<string, string | number | boolean | undefined>;
type Options = {
  query?: Query;
  signal?: AbortSignal | undefined;
  anonymous?: boolean;
  timeoutMs?: number;
  /** Not from the browser's cache, whatever the answer before allowed. */
  fresh?: boolean;
};
type Outgoing = Options & { method: string; body?: unknown; form?: FormData };

let onRefused: (status: 401 | 403) => void = () => undefined;
let renew: (stale: string) => Promise<Renewed> = async () => 'ended';

/** The session registers here what a 401 or 403 to a call that carried a token leads to. */
export function setRefusalHandler(handler: (status: 401 | 403) => void): void {
  onRefused = handler;
}

/** Single sign-on registers here how a token that was refused is replaced; the call is then made once more. */
export function setRenewer(renewer: (stale: string) => Promise<Renewed>): void {
  renew = renewer;
}

export function buildUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((entry) => ({
    field: textOf(entry.field) ?? textOf(entry.path) ?? '',
    message: textOf(entry.message) ?? textOf(entry.msg) ?? '',
  }));
}

/** The error that an answer stands for; a body that is no JSON gives an empty detail. */
export function errorFrom(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const record = isRecord(body) ? body : {};
  const seconds = Number(retryAfter ?? record.retry_after);
  return new ApiError({
    status,
    detail: textOf(record.detail) ?? textOf(record.error) ?? '',
    reason: textOf(record.reason),
    errors: fieldErrors(record.errors),
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
  });
}

/** Fetches as who is signed in; where the token had run out, once more with its successor. The signal ends all of it. */
export async function fetchSignedIn(url: string, init: RequestInit): Promise<Response> {
  const attempt = (token: string | null) =>
    fetch(url, token === null ? init : { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  const token = getToken();
  const response = await attempt(token);
  if (response.status !== 401 || token === null) return response;
  const outcome = await untilAborted(renew(token), init.signal);
  if (outcome === 'away') {
    throw new ApiError({ status: 0, detail: '', reason: 'IDENTITY_AWAY' }, 'Single sign-on cannot be reached');
  }
  return outcome === 'renewed' ? attempt(getToken()) : response;
}

/** The outcome of the work, or a rejection with the signal's reason as soon as it is aborted. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Makes the call and reads its answer; both together have `timeoutMs`. */
async function send<T>(path: string, outgoing: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
  const {
    method,
    query,
    signal,
    anonymous = getToken() === null,
    body,
    form,
    timeoutMs = TIMEOUT_MS,
    fresh,
  } = outgoing;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const timeout = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = { method, headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  if (fresh) init.cache = 'no-store';
  if (form) init.body = form;
  else if (body !== undefined) init.body = JSON.stringify(body);

  const answeredBefore = countAnsweredCalls();
  let response: Response;
  let content: T | ApiError;
  try {
    response = await (anonymous ? fetch : fetchSignedIn)(buildUrl(path, query), init);
    reportReachable();
    content = response.ok ? await read(response) : await refusalOf(response);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (signal?.aborted) throw cause;
    const late = timeout.aborted;
    // One call that hangs while others are answered does not make the server unreachable.
    if (!late || countAnsweredCalls() === answeredBefore) reportUnreachable();
    throw new ApiError(
      { status: 0, detail: '', reason: late ? 'TIMEOUT' : 'NETWORK' },
      late ? 'Request timed out' : 'Network error',
    );
  }
  if (!(content instanceof ApiError)) return content;
  if (!anonymous && (response.status === 401 || response.status === 403)) onRefused(response.status);
  throw content;
}

async function refusalOf(response: Response): Promise<ApiError> {
  return errorFrom(response.status, parsedOrNull(await response.text()), response.headers.get('Retry-After'));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError({ status: response.status, detail: '' }, 'The answer is not JSON');
  }
}

async function sendForJson<T>(path: string, outgoing: Outgoing): Promise<T> {
  const parsed = await send(path, outgoing, async (response) =>
    response.status === 204 ? undefined : await readJson<unknown>(response),
  );
  if (CARRY_STATUS_CODE.has(path) && isRecord(parsed)) {
    const { status_code: inner = 200 } = parsed;
    if (inner !== 200) throw errorFrom(Number(inner) || 500, parsed);
  }
  return parsed as T;
}

/** Calls of the gateway's REST contract. T is the caller's word for the answer's shape. */
export const api = {
  get: <T>(path: string, options: Options = {}) => sendForJson<T>(path, { ...options, method: 'GET' }),
  post: <T>(path: string, body?: unknown, options: Options = {}) =>
    sendForJson<T>(path, { ...options, method: 'POST', body }),
  postForm: <T>(path: string, form: FormData, options: Options = {}) =>
    sendForJson<T>(path, { ...options, method: 'POST', form }),
  delete: <T>(path: string, options: Options = {}) => sendForJson<T>(path, { ...options, method: 'DELETE' }),
  blob: (path: string, options: Options = {}) =>
    send(path, { ...options, method: 'GET' }, (response) => response.blob()),
  /** A bare array together with the X-Total-Count of the whole list (the array's length where the header is absent). */
  getList: <T>(path: string, options: Options = {}): Promise<{ items: T[]; total: number }> =>
    send(path, { ...options, method: 'GET' }, async (response) => {
      const items = await readJson<T[]>(response);
      return { items, total: Number(response.headers.get('X-Total-Count') ?? items.length) };
    }),
};

export function isApiError(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && (statuses.length === 0 || statuses.includes(error.status));
}

/** The server's detail, else the fallback. */
export function detailOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.detail !== '' ? error.detail : fallback;
}

/**
 * The server's detail, else the message of a call that got no answer, else the fallback ('Unknown error' of the
 * catalogue): of an answer without a sentence, the status alone tells nobody anything.
 */
export function messageOf(error: unknown, fallback = 'Unknown error'): string {
  if (error instanceof ApiError && error.status > 0) return detailOf(error, fallback);
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
