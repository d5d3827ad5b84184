import type { Call, History, Outcome } from './history.ts';

const timeoutMs = 20_000;

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the platform sent; the invariants say what it must be.
export type Body = any;

export interface Answer {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly body: Body;
}

/** Calls the REST API without retries and records what the checker needs to know. */
export class Caller {
  readonly origin: string;
  readonly #history: History;
  readonly #token: string | undefined;

  constructor(origin: string, history: History, token?: string) {
    this.origin = origin;
    this.#history = history;
    this.#token = token;
  }

  as(token: string): Caller {
    return new Caller(this.origin, this.#history, token);
  }

  get headers(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
  }

  /** Sends a request. Never throws: status 0 means that no whole answer came. */
  async send(method: string, path: string, body?: object): Promise<Answer> {
    const isForm = body instanceof FormData;
    const headers = { ...this.headers, accept: 'application/json' };
    try {
      const response = await fetch(`${this.origin}${path}`, {
        method,
        headers: body === undefined || isForm ? headers : { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    } catch (error) {
      return { status: 0, body: { detail: error instanceof Error ? error.message : String(error) } };
    }
  }

  /** Sends a request and records it as the call that `describe` makes of its answer. */
  async record(
    method: string,
    path: string,
    body: object | undefined,
    describe: (answer: Answer) => Call,
  ): Promise<Answer> {
    const start = performance.now();
    const answer = await this.send(method, path, body);
    const { status } = answer;
    const outcome = outcomeOf(answer);
    const detail = outcome === 'done' ? {} : { detail: String(answer.body?.detail ?? '') };
    this.#history.add({ ...describe(answer), start, end: performance.now(), outcome, status, ...detail });
    return answer;
  }
}

/** A 5xx may have had its effect. `status_code` in a body of 200 is how the original platform refuses. */
function outcomeOf({ status, body }: Answer): Outcome {
  if (status >= 200 && status < 300) return (body?.status_code ?? 200) < 300 ? 'done' : 'refused';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}
