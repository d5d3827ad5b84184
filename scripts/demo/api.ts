/** A refusal by the platform, with its sentence. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** 429, and 503 that names a time (packages of an upload that are still prepared), are asked again after that time. */
const mostRetries = 60;
const asksToWait = ({ status, headers }: Response) => headers.has('retry-after') && (status === 429 || status === 503);

/** The platform's REST API as one caller sees it. */
export class Api {
  readonly origin: string;
  #token: string | undefined;

  constructor(origin: string, token?: string) {
    this.origin = origin;
    this.#token = token;
  }

  as(token: string): Api {
    return new Api(this.origin, token);
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>('GET', path);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.#call<T>('POST', path, body === undefined ? undefined : JSON.stringify(body), 'application/json');
  }

  upload<T>(path: string, files: Readonly<Record<string, { name: string; text: string }>>): Promise<T> {
    const form = new FormData();
    for (const [field, file] of Object.entries(files)) form.set(field, new File([file.text], file.name), file.name);
    return this.#call<T>('POST', path, form);
  }

  async #call<T>(method: string, path: string, body?: string | FormData, type?: string): Promise<T> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined && type !== undefined) headers['content-type'] = type;
    const ask = () =>
      fetch(`${this.origin}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(130_000),
      });
    let response = await ask();
    for (let tries = 0; asksToWait(response) && tries < mostRetries; tries++) {
      await new Promise((next) => setTimeout(next, 1000 * Number(response.headers.get('retry-after') ?? 1)));
      response = await ask();
    }
    const answer = (await response.json().catch(() => ({}))) as T & { detail?: string };
    if (!response.ok)
      throw new Refused(response.status, answer.detail ?? `${method} ${path} answered ${response.status}`);
    return answer;
  }
}
