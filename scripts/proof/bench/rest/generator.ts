// Sends requests over keep-alive connections and prints the figures as JSON. Argument: a `Run` as JSON.
import autocannon from 'autocannon';

/** A load of one call or of several calls, which the connections request in turn. */
export interface Run {
  readonly origin: string;
  readonly calls: readonly { readonly path: string; readonly token?: string | undefined; readonly accept?: string }[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second over all connections; absent: no limit. */
  readonly rate?: number;
}

export interface Figures {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
}

const run = JSON.parse(process.argv[2] ?? '') as Run;
const result = await autocannon({
  url: run.origin,
  connections: run.connections,
  duration: run.seconds,
  timeout: 30,
  ...(run.rate === undefined ? {} : { overallRate: run.rate }),
  requests: run.calls.map(({ path, token, accept = 'application/json' }) => ({
    path,
    headers: {
      accept,
      'accept-encoding': 'gzip, br',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  })),
});
const figures: Figures = {
  requests: result.requests.total,
  failed: result.non2xx + result.errors + result.timeouts,
  seconds: result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  bytes: result.throughput.total,
};
process.stdout.write(JSON.stringify(figures));
