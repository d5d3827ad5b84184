import { getToken, type Renewed } from '../session/tokens.ts';
import { ApiError, errorFrom, isApiError, isRecord } from './api-error.ts';
import type { paths } from './generated/api.ts';
import { logFailure } from './log.ts';

/** A call without a complete response after this time fails with status 0 and reason TIMEOUT. */
export const TIMEOUT_MS = 30_000;

/** Calls whose body has its own `status_code`, which is 200 on success (docs/rest-api.md, rule 4). */
const PATHS_WITH_STATUS_CODE = new Set([
  '/sim/async_run',
  '/sim/async_run_user',
  '/submission/upload',
  '/submission/mark_final',
  '/submission/unmark_final',
]);

/** POST calls that create something: each has a key of its own, with which it is sent once more if no response arrives. */
const CREATING_PATHS = {
  '/auth/tokens': true,
  '/challenges': true,
  '/docker/pool/scale': true,
  '/leaderboard/add': true,
  '/llm/batch-run': true,
  '/sim/async_run': true,
  '/sim/async_run_user': true,
  '/sim/run_again': true,
  '/submission/authoring': true,
  '/submission/upload': true,
  '/trials': true,
  '/tournaments': true,
} satisfies Record<CreatingPath, true>;
const PAUSE_MS = 1000;

type Options = {
  signal?: AbortSignal | undefined;
  anonymous?: boolean;
  timeoutMs?: number;
  /** Sends empty query values too; they are left out by default. */
  sendEmpty?: boolean;
  /** Bypasses the browser's cache, even if the previous response allowed caching. */
  fresh?: boolean;
};
type Values = Record<string, string | number | boolean | undefined>;
type Address = { params?: Values; query?: Values; sendEmpty?: boolean };
type Outgoing = Options & Address & { method: Method; body?: unknown };

let onRefused: (status: 401 | 403) => void = () => undefined;
let renew: (stale: string) => Promise<Renewed> = async () => 'ended';

/** Registers the handler for a 401 or 403 response to a call that carried a token. */
export function setRefusalHandler(handler: (status: 401 | 403) => void): void {
  onRefused = handler;
}

/** Registers the renewal of a refused token; the call is retried once after it. */
export function setRenewer(renewer: (stale: string) => Promise<Renewed>): void {
  renew = renewer;
}

/** Fills in the path's parameters and appends the query. Leaves out undefined query values, and empty ones by default. */
export function buildUrl(path: string, { params = {}, query = {}, sendEmpty = false }: Address = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && (sendEmpty || value !== '')) search.set(key, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Fetches with the bearer token. After a 401, renews the token and retries once. The signal aborts both attempts. */
export async function fetchSignedIn(url: string, init: RequestInit): Promise<Response> {
  const attempt = (token: string | null) =>
    fetch(url, token === null ? init : { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  const token = getToken();
  const response = await attempt(token);
  if (response.status !== 401 || token === null) return response;
  const outcome = await untilAborted(renew(token), init.signal);
  if (outcome === 'unreachable') {
    throw new ApiError({ status: 0, detail: '', reason: 'IDENTITY_UNREACHABLE' }, 'Single sign-on cannot be reached');
  }
  return outcome === 'renewed' ? attempt(getToken()) : response;
}

/** Resolves with the work's outcome, or rejects with the signal's reason as soon as it is aborted. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Sends a call and logs its failure, unless its caller has aborted it. */
async function send<T>(path: string, outgoing: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await sendUnlogged(path, outgoing, read);
  } catch (error) {
    if (isApiError(error, 401)) logFailure('Unauthorized access - redirecting to login');
    if (isApiError(error)) logFailure(`${outgoing.method.toUpperCase()} ${path} failed`, error);
    throw error;
  }
}

/** Sends a call and reads its response. `timeoutMs` limits both together. */
async function sendUnlogged<T>(path: string, outgoing: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
  const { method, signal, anonymous = getToken() === null, body, timeoutMs = TIMEOUT_MS, fresh } = outgoing;
  const headers: Record<string, string> = { Accept: 'application/json', traceparent: newTraceparent() };
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  const timeout = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = {
    method: method.toUpperCase(),
    headers,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  if (fresh) init.cache = 'no-store';
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);

  const responsesBefore = countResponses();
  const sendOnce = () => (anonymous ? fetch : fetchSignedIn)(buildUrl(path, outgoing), init);
  let response: Response;
  let content: T | ApiError;
  try {
    response = await (method === 'post' && path in CREATING_PATHS ? sendTwice(sendOnce, init, headers) : sendOnce());
    reportReachable();
    content = response.ok ? await read(response) : await refusalOf(response);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (signal?.aborted) throw cause;
    const timedOut = timeout.aborted;
    // A single call that hangs while others get responses does not mark the server as unreachable.
    if (!timedOut || countResponses() === responsesBefore) reportUnreachable();
    throw new ApiError(
      { status: 0, detail: '', reason: timedOut ? 'TIMEOUT' : 'NETWORK' },
      timedOut ? 'Request timed out' : 'Network error',
    );
  }
  if (!(content instanceof ApiError)) return content;
  if (!anonymous && (response.status === 401 || response.status === 403)) onRefused(response.status);
  throw content;
}

/** Sends a call that creates with a key, and once more after a lost connection or while a service is unavailable. */
async function sendTwice(
  send: () => Promise<Response>,
  { signal }: RequestInit,
  headers: Record<string, string>,
): Promise<Response> {
  headers['Idempotency-Key'] = randomHex(16);
  // With its body: the connection may be lost within it.
  const sendOnce = async () => {
    const response = await send();
    return new Response(await response.text(), response);
  };
  const first = await sendOnce().catch(() => undefined);
  if (first && ![502, 503, 504].includes(first.status)) return first;
  await untilAborted(new Promise((resolve) => setTimeout(resolve, PAUSE_MS)), signal);
  return sendOnce();
}

async function refusalOf(response: Response): Promise<ApiError> {
  return errorFrom(response.status, parseJsonOrNull(await response.text()), response.headers.get('Retry-After'));
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError({ status: response.status, detail: '' }, 'The response is not JSON');
  }
}

async function sendForJson(path: string, outgoing: Outgoing): Promise<unknown> {
  const parsed = await send(path, outgoing, async (response) =>
    response.status === 204 ? undefined : await readJson(response),
  );
  if (PATHS_WITH_STATUS_CODE.has(path) && isRecord(parsed)) {
    const { status_code: inner = 200 } = parsed;
    if (inner !== 200) throw errorFrom(Number(inner) || 500, parsed);
  }
  return parsed;
}

type Sent = Omit<Outgoing, 'method'>;

/** Returns a function for typed calls with one method. The cast trusts the OpenAPI description: response bodies are not validated. */
const typedCall =
  <M extends Method>(method: M) =>
  <P extends PathOf<M>>(path: P, ...options: Arguments<M, P, Options>) =>
    sendForJson(path, { ...(options as unknown[] as Sent[])[0], method }) as Promise<ResponseOf<M, P>>;

type Item<List> = List extends readonly (infer Row)[] ? Row : never;

/** Calls of the gateway's REST API. Paths, parameters, bodies and responses are typed by its OpenAPI description. */
export const api = {
  get: typedCall('get'),
  post: typedCall('post'),
  delete: typedCall('delete'),
  blob: <P extends PathOf<'get'>>(path: P, ...[options]: Arguments<'get', P, Options>) =>
    send(path, { ...(options as Sent), method: 'get' }, (response) => response.blob()),
  /** Passes the response to `read`, for bodies that are processed while they arrive. `timeoutMs` covers the reading too. */
  read: <P extends PathOf<'get'>, T>(
    path: P,
    read: (response: Response) => Promise<T>,
    ...[options]: Arguments<'get', P, Options>
  ) => send(path, { ...(options as Sent), method: 'get' }, read),
  /** Returns a bare array and the X-Total-Count of the whole list (the array's length if the header is absent). */
  getList: <P extends PathOf<'get'>>(path: P, ...[options]: Arguments<'get', P, Options>) =>
    send(path, { ...(options as Sent), method: 'get' }, async (response) => {
      const items = (await readJson(response)) as Item<ResponseOf<'get', P>>[];
      return { items, total: Number(response.headers.get('X-Total-Count') ?? items.length) };
    }),
};

export type Method = 'get' | 'post' | 'delete';
/** Paths of the gateway's OpenAPI that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

/** Paths whose POST accepts an Idempotency-Key. */
type CreatingPath = {
  [P in PathOf<'post'>]: paths[P] extends { post: { parameters: { header?: infer Header } } }
    ? [NonNullable<Header>] extends [never]
      ? never
      : P
    : never;
}[PathOf<'post'>];

type Operation<M extends Method, P extends keyof paths> = paths[P][M];
type OrUndefined<T> = { [Key in keyof T]: T[Key] | undefined };

type PathParams<Op> = Op extends { parameters: { path: infer Params } } ? { params: Params } : { params?: undefined };
type QueryParams<Op> = Op extends { parameters: { query: infer Query } }
  ? { query: Query }
  : Op extends { parameters: { query?: infer Query } }
    ? { query?: OrUndefined<NonNullable<Query>> | undefined }
    : { query?: undefined };
type Body<Op> = Op extends { requestBody: { content: { 'multipart/form-data': unknown } } }
  ? { body: FormData }
  : Op extends { requestBody: { content: { 'application/json': infer Json } } }
    ? { body: Json }
    : Op extends { requestBody?: { content: { 'application/json': infer Json } } }
      ? { body?: Json }
      : { body?: undefined };

/** Path parameters, query and body of an operation, as its OpenAPI description has them. */
export type RequestOf<M extends Method, P extends keyof paths> = PathParams<Operation<M, P>> &
  QueryParams<Operation<M, P>> &
  Body<Operation<M, P>>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;
/** JSON body of an operation's success (200 or 201). */
export type ResponseOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses & (200 | 201)]> : never;

/** The arguments after the path: optional when the operation requires neither parameters nor a body. */
export type Arguments<M extends Method, P extends keyof paths, Options> =
  Record<never, never> extends RequestOf<M, P>
    ? [options?: RequestOf<M, P> & Options]
    : [options: RequestOf<M, P> & Options];

type Listener = () => void;
const listeners = new Set<Listener>();
let reachable = true;
let responses = 0;

function setReachable(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Returns whether the last call got any response from the server. */
export const isReachable = (): boolean => reachable;
/** Returns the number of calls with a response since the page was loaded. */
const countResponses = (): number => responses;
function reportReachable(): void {
  responses++;
  setReachable(true);
}
const reportUnreachable = (): void => setReachable(false);

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/**
 * Returns a new W3C trace context (https://www.w3.org/TR/trace-context/) for one call: the trace starts with the user's click. It is marked
 * as sampled; the gateway's sampler decides whether the trace is recorded.
 */
function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}
