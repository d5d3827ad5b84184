import type { Logger } from '@husky/runtime/process/logger';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';

export interface HttpResponse {
  readonly status: number;
  readonly location: string;
  /** Parsed JSON; undefined for an empty body. */
  readonly body: unknown;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** Calls to Keycloak, each with a deadline of 5 s, behind a circuit breaker. */
export interface KeycloakHttp {
  /** Throws UNAVAILABLE `identity-away` on timeout, status 5xx and responses that are not JSON. */
  send(url: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Whether the last call failed. If the last call is more than 5 s old, calls `url` in the background to refresh the state. */
  isUnavailable(url: string): boolean;
  /** Whether any call has succeeded since the start. */
  wasReached(): boolean;
}

const timeoutMs = 5000;
const freshMs = 5000;
const maxFailures = 3;
const probeWaitMs = 1000;

export function identityUnavailable(): DomainError {
  const message =
    'Sign-in is not available right now: the identity service does not answer. Please try again in a moment';
  return new DomainError('UNAVAILABLE', 'identity-away', message);
}

/** Creates the client. After three failures in a row one call at a time probes Keycloak and the others fail fast. */
export function createKeycloakHttp(log: Logger): KeycloakHttp {
  let unavailable = false;
  let wasReached = false;
  let lastCallAtMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let probe: Promise<void> | undefined;

  // Logs transitions only, so that an outage does not log every call.
  function record(succeeded: boolean, reason = ''): void {
    wasReached ||= succeeded;
    failures = succeeded ? 0 : failures + 1;
    if (unavailable === !succeeded) return;
    unavailable = !succeeded;
    if (succeeded) log.info('Keycloak is reachable again');
    else log.warn({ reason }, 'Keycloak is unreachable');
  }

  async function call(url: string, request: HttpRequest): Promise<HttpResponse> {
    lastCallAtMs = performance.now();
    let response: HttpResponse;
    try {
      response = await fetchWithRetry(url, request);
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      record(false, messageOf(cause ?? error));
      throw identityUnavailable();
    }
    if (response.status >= 500) {
      record(false, `${request.method ?? 'GET'} ${new URL(url).pathname}: status ${response.status}`);
      throw identityUnavailable();
    }
    record(true);
    return response;
  }

  async function send(url: string, request: HttpRequest = {}): Promise<HttpResponse> {
    if (failures < maxFailures) return call(url, request);
    if (probe) {
      await probe;
      if (failures >= maxFailures) throw identityUnavailable();
      return call(url, request);
    }
    const probing = call(url, request);
    const clear = () => {
      probe = undefined;
    };
    const finished = probing.then(clear, clear);
    probe = Promise.race([finished, new Promise<void>((resolve) => setTimeout(resolve, probeWaitMs))]);
    return probing;
  }

  return {
    send,
    isUnavailable(url) {
      if (performance.now() - lastCallAtMs > freshMs) send(url).catch(() => undefined);
      return unavailable;
    },
    wasReached: () => wasReached,
  };
}

async function fetchWithRetry(url: string, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await fetchJson(url, request);
  } catch (error) {
    // Keycloak may have closed a kept-alive connection; only reads are safe to repeat.
    if ((request.method ?? 'GET') !== 'GET' || (error as Error).name === 'TimeoutError') throw error;
    return fetchJson(url, request);
  }
}

async function fetchJson(url: string, { method = 'GET', token, json, form }: HttpRequest): Promise<HttpResponse> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (json !== undefined) headers['content-type'] = 'application/json';
  const body = form ? new URLSearchParams(form) : json === undefined ? null : JSON.stringify(json);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method, headers, body, redirect: 'error', signal });
  const text = await response.text();
  const { status } = response;
  const location = response.headers.get('location') ?? '';
  if (text === '') return { status, location, body: undefined };
  // Keycloak responds in JSON; anything else comes from a proxy in front of it.
  if (!response.headers.get('content-type')?.includes('json')) throw new Error(`status ${status} without JSON`);
  return { status, location, body: JSON.parse(text) };
}
