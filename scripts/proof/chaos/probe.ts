import type { Caller } from './caller.ts';

const intervalMs = 200;

/** Reads that together need every service. The gateway caches some responses for a second, as for visitors. */
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

export interface ProbeResult {
  readonly requests: number;
  readonly failed: number;
  /** From the start of the first request that failed to the end of the last one. */
  readonly outageMs: number;
}

/** Counts the failed requests. */
export function summarizeRequests(requests: readonly Request[]): ProbeResult {
  const failures = requests.filter(({ failed }) => failed);
  const from = Math.min(...failures.map(({ start }) => start));
  const to = Math.max(...failures.map(({ end }) => end));
  return { requests: requests.length, failed: failures.length, outageMs: failures.length === 0 ? 0 : to - from };
}

/** Sends reads at a constant rate, independent of response times, to measure the effect of a fault on visitors. A request without a response or with 5xx has failed. */
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
    }, intervalMs);
  }

  /** Waits for all requests in progress. Returns the result of those that started since `from`, and discards earlier ones. */
  async since(from: number): Promise<ProbeResult> {
    await Promise.all(this.#open);
    this.#requests = this.#requests.filter(({ start }) => start >= from);
    return summarizeRequests(this.#requests);
  }

  /** Stops sending requests and waits for those in progress. */
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
