import { DomainError, messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';

export interface Answer {
  readonly status: number;
  readonly location: string;
  /** Parsed JSON; undefined: none. */
  readonly body: unknown;
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** Calls to Keycloak, each with a deadline; one that gets no sensible answer is UNAVAILABLE `identity-away`. */
export interface KeycloakHttp {
  send(url: string, sent?: Sent): Promise<Answer>;
  /** The last call got no answer. When that is a while ago, `url` is asked meanwhile, so that the next one hears what is so now. */
  away(url: string): boolean;
  /** An answer has come since the start. */
  met(): boolean;
}

const timeoutMs = 5000;
const freshMs = 5000;
const failuresForSure = 3;
const scoutMs = 1000;

export function identityAway(): DomainError {
  const message =
    'Sign-in is not available right now: the identity service does not answer. Please try again in a moment';
  return new DomainError('UNAVAILABLE', 'identity-away', message);
}

export function createKeycloakHttp(log: Logger): KeycloakHttp {
  let away = false;
  let met = false;
  let askedAtMs = 0;
  let failures = 0;
  let scout: Promise<void> | undefined;

  // Logged once when it changes: while it is away every call would say so.
  function reached(yes: boolean, why = ''): void {
    met ||= yes;
    failures = yes ? 0 : failures + 1;
    if (away === !yes) return;
    away = !yes;
    if (yes) log.info('Keycloak answers again');
    else log.warn(`Keycloak does not answer: ${why}`);
  }

  async function once(url: string, sent: Sent): Promise<Answer> {
    const { method = 'GET', token, json, form } = sent;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    const body = form ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json);
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const { status } = response;
    const location = response.headers.get('location') ?? '';
    if (text === '') return { status, location, body: undefined };
    // Keycloak answers us in JSON; a page is some proxy's.
    if (!response.headers.get('content-type')?.includes('json'))
      throw new Error(`${status} and something else than JSON`);
    return { status, location, body: JSON.parse(text) };
  }

  async function patient(url: string, sent: Sent): Promise<Answer> {
    try {
      return await once(url, sent);
    } catch (error) {
      // A connection that was kept may have been closed meanwhile; what only reads may be asked again.
      if ((sent.method ?? 'GET') !== 'GET' || (error as Error).name === 'TimeoutError') throw error;
      return once(url, sent);
    }
  }

  async function ask(url: string, sent: Sent): Promise<Answer> {
    askedAtMs = Date.now();
    let answer: Answer;
    try {
      answer = await patient(url, sent);
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      reached(false, cause === undefined ? messageOf(error) : messageOf(cause));
      throw identityAway();
    }
    if (answer.status >= 500) {
      reached(false, `${sent.method ?? 'GET'} ${new URL(url).pathname} answered ${answer.status}`);
      throw identityAway();
    }
    reached(true);
    return answer;
  }

  async function send(url: string, sent: Sent = {}): Promise<Answer> {
    if (failures < failuresForSure) return ask(url, sent);
    // It is away for sure: one call at a time finds out whether it still is, nobody else waits long for that.
    if (scout) {
      await scout;
      if (failures >= failuresForSure) throw identityAway();
      return ask(url, sent);
    }
    const asked = ask(url, sent);
    const done = () => {
      scout = undefined;
    };
    const over = asked.then(done, done);
    scout = Promise.race([over, new Promise<void>((resolve) => setTimeout(resolve, scoutMs))]);
    return asked;
  }

  return {
    send,
    away(url) {
      if (Date.now() - askedAtMs > freshMs) send(url).catch(() => undefined);
      return away;
    },
    met: () => met,
  };
}
