import type { Call, History, Outcome } from './history.ts';

const timeoutMs = 20_000;
const downloadTimeoutMs = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: bodies are not typed here; the invariants check them.
export type Body = any;

export interface ApiResponse {
  /** HTTP status; 0: no complete response. */
  readonly status: number;
  readonly body: Body;
}

/** Calls the REST API without retries and records every call for the checker. */
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

  /**
   * Sends a request and adds it to the history. `describe` returns the call for a response; without it only the status is recorded.
   * Never throws: status 0 means that there was no complete response.
   */
  async send(
    method: string,
    path: string,
    body?: object,
    describe: (response: ApiResponse) => Call = () => ({ call: 'other', request: `${method} ${path}` }),
  ): Promise<ApiResponse> {
    const start = performance.now();
    const response = await this.#fetch(method, path, body);
    const { status } = response;
    const outcome = classifyOutcome(response);
    const detail = outcome === 'done' ? {} : { detail: String(response.body?.detail ?? '') };
    this.#history.add({ ...describe(response), start, end: performance.now(), outcome, status, ...detail });
    return response;
  }

  /** Signs in. */
  signIn(account: { readonly username: string; readonly password: string }): Promise<ApiResponse> {
    return this.send('POST', '/auth/login', account, () => ({ call: 'sign-in', user: account.username }));
  }

  /** Downloads a file and records the call. Never throws: status 0 means that there was no complete response. */
  async download(path: string): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
    const start = performance.now();
    let [status, bytes] = [0, new Uint8Array()];
    try {
      const response = await fetch(`${this.origin}${path}`, {
        headers: this.headers,
        signal: AbortSignal.timeout(downloadTimeoutMs),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
      status = response.status;
    } catch {
      // A fault has cut the connection.
    }
    const outcome = classifyOutcome({ status, body: {} });
    const call = { call: 'other', request: `GET ${path}` } as const;
    this.#history.add({ ...call, start, end: performance.now(), outcome, status });
    return { status, bytes };
  }

  async #fetch(method: string, path: string, body?: object): Promise<ApiResponse> {
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
}

/** Classifies a response. A call with 5xx may have taken effect. Some refusals have status 200 and a `status_code` in the body, as on the original platform. */
function classifyOutcome({ status, body }: ApiResponse): Outcome {
  if (status >= 200 && status < 300) return (body?.status_code ?? 200) < 300 ? 'done' : 'refused';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}
