/** Thrown if the platform refuses a request; the message is the `detail` of the response. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** Requests refused with 429, or with 503 while the packages of an upload are prepared, are retried after `Retry-After`. */
const maxRetries = 60;
const isRetryable = ({ status, headers }: Response) => headers.has('retry-after') && (status === 429 || status === 503);

/** Client of the REST API for one caller. */
export class Api {
  readonly origin: string;
  readonly token: string | undefined;

  constructor(origin: string, token?: string) {
    this.origin = origin;
    this.token = token;
  }

  as(token: string): Api {
    return new Api(this.origin, token);
  }

  async signIn(account: { readonly username: string; readonly password: string }): Promise<Api> {
    const { access_token } = await this.post<{ access_token: string }>('/auth/login', account);
    return this.as(access_token);
  }

  async register(account: {
    readonly username: string;
    readonly password: string;
    readonly email: string;
    readonly about?: string;
  }): Promise<Api> {
    const { access_token } = await this.post<{ access_token: string }>('/auth/register', account);
    return this.as(access_token);
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>('GET', path);
  }

  post<T>(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    if (body === undefined) return this.#call<T>('POST', path, undefined, headers);
    return this.#call<T>('POST', path, JSON.stringify(body), { ...headers, 'content-type': 'application/json' });
  }

  delete<T>(path: string): Promise<T> {
    return this.#call<T>('DELETE', path);
  }

  upload<T>(path: string, files: Readonly<Record<string, { name: string; text: string }>>): Promise<T> {
    const form = new FormData();
    for (const [field, file] of Object.entries(files)) form.set(field, new File([file.text], file.name), file.name);
    return this.#call<T>('POST', path, form);
  }

  async #call<T>(
    method: string,
    path: string,
    body?: string | FormData,
    more?: Readonly<Record<string, string>>,
  ): Promise<T> {
    const headers: Record<string, string> = { accept: 'application/json', ...more };
    if (this.token !== undefined) headers.authorization = `Bearer ${this.token}`;
    const send = () =>
      fetch(`${this.origin}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(130_000),
      });
    let response = await send();
    for (let retries = 0; isRetryable(response) && retries < maxRetries; retries++) {
      await new Promise((next) => setTimeout(next, 1000 * Number(response.headers.get('retry-after') ?? 1)));
      response = await send();
    }
    const result = (await response.json().catch(() => ({}))) as T & { detail?: string };
    if (!response.ok)
      throw new Refused(response.status, result.detail ?? `${method} ${path} returned ${response.status}`);
    return result;
  }
}
