import type { Caller } from './caller.ts';

const everyMs = 200;

/** Reads that together need every service. Some are answered from the gateway's memory for a second, as for visitors. */
const paths = [
  '/leaderboard/top/5?tag=2025',
  '/live/public-job-ids',
  '/user/search?q=player',
  '/sim/status/all',
  '/submission/list',
  '/docker/pool/status',
];

interface Request {
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
}

export interface Probed {
  readonly requests: number;
  readonly failed: number;
  /** From the start of the first request that failed to the end of the last one. */
  readonly awayMs: number;
}

/** Counts the requests that failed; a request without an answer or with 5xx has failed. */
export function probed(requests: readonly Request[]): Probed {
  const failures = requests.filter(({ failed }) => failed);
  const from = Math.min(...failures.map(({ start }) => start));
  const to = Math.max(...failures.map(({ end }) => end));
  return { requests: requests.length, failed: failures.length, awayMs: failures.length === 0 ? 0 : to - from };
}

/** Reads at a constant rate, whatever the answers take, so that what visitors notice of a fault can be counted. */
export class Probe {
  readonly #caller: Caller;
  readonly #open = new Set<Promise<void>>();
  #requests: Request[] = [];
  #timer: NodeJS.Timeout | undefined;
  #serial = 0;

  /** `caller`: an administrator. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  start(): void {
    this.#timer = setInterval(() => {
      const request = this.#send().finally(() => this.#open.delete(request));
      this.#open.add(request);
    }, everyMs);
  }

  /** Returns what became of the requests that began since `from`, when all of them have ended, and forgets earlier ones. */
  async since(from: number): Promise<Probed> {
    await Promise.all(this.#open);
    this.#requests = this.#requests.filter(({ start }) => start >= from);
    return probed(this.#requests);
  }

  /** Sends no more requests and waits for those in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }

  async #send(): Promise<void> {
    const start = performance.now();
    const path = paths[this.#serial++ % paths.length] ?? '/';
    const { status } = await this.#caller.send('GET', path);
    this.#requests.push({ start, end: performance.now(), failed: status === 0 || status >= 500 });
  }
}
