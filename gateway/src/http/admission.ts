import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAdaptiveLimit } from '@husky/runtime/adaptive-limit';
import { type Admission, createAdmission } from '@husky/runtime/admission';
import { DomainError } from '@husky/runtime/errors';
import { metrics } from '@opentelemetry/api';
import { unlimitedPaths } from './rate-limits.ts';

export interface AdmissionSettings {
  /** Largest number of requests that are answered at a time; 0: no limit. */
  readonly MAX_CONCURRENT_REQUESTS: number;
  /** Largest number of uploads that are checked at a time; 0: no limit. */
  readonly MAX_CONCURRENT_UPLOADS: number;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
// With fewer, 20 requests a second are refused while a cluster's upgrade makes each take three seconds.
const fewest = 64;
const maxWaitMs = 250;
const standingWaitMs = 50;
/** The objective is 250 ms for 99 of 100 requests, including the wait for a place. */
const targetMs = 150;
/** A check of an upload takes seconds; its sender has more patience than a reader. */
const uploadWaitMs = 30_000;
const maxWaitingUploads = 500;

export interface Admissions {
  /** Wraps the server's handler: admits reads before anything is parsed or called. Probes are always admitted. */
  reads(handle: Handle, corsOrigins: readonly string[]): Handle;
  /**
   * Runs a write whose body has been received, so that a client that sends slowly holds no place. `upload`: the write contains a
   * bot, whose check takes seconds.
   */
  write<T>(upload: boolean, work: () => Promise<T>): Promise<T>;
}

/**
 * Limits how many requests are answered at a time to those that are answered in time. Some more wait, the rest is refused at once
 * with 503 and Retry-After. A stream or download frees its place when its response begins; it has limits of its own.
 */
export function createAdmissions(settings: AdmissionSettings): Admissions {
  const most = settings.MAX_CONCURRENT_REQUESTS || Infinity;
  const uploads = settings.MAX_CONCURRENT_UPLOADS || Infinity;
  const limit = createAdaptiveLimit({
    min: Math.min(fewest, most),
    max: most,
    first: Math.min(fewest, most),
    targetMs,
  });
  // Equal shares: visitors do not keep participants out, nor readers writers.
  const requests = createAdmission({
    limit: () => (most === Infinity ? Infinity : limit.current),
    maxWaiting: 2 * most,
    maxWaitMs,
    standingWaitMs,
  });
  const checks = createAdmission({
    limit: () => uploads,
    maxWaiting: maxWaitingUploads,
    maxWaitMs: uploadWaitMs,
    standingWaitMs: uploadWaitMs,
  });
  const count = report(requests, checks, () => limit.current);

  async function admitted(admission: Admission, name: string, signal?: AbortSignal): Promise<() => void> {
    return admission.enter(name, signal).catch((error: unknown) => {
      if (error instanceof DomainError) count(name);
      throw error;
    });
  }

  return {
    reads: (handle, corsOrigins) => async (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (!readMethods.has(request.method ?? '') || unlimitedPaths.has(path)) return handle(request, response);
      const arrivedMs = performance.now();
      const disconnected = new AbortController();
      const abort = () => disconnected.abort(new Error('The client has disconnected.'));
      response.once('close', abort);
      const name = request.headers.authorization === undefined ? 'visitors' : 'accounts';
      let leave: () => void;
      try {
        leave = await admitted(requests, name, disconnected.signal);
      } catch (error) {
        if (error instanceof DomainError) refuse(request, response, error, corsOrigins);
        return;
      } finally {
        response.off('close', abort);
      }
      try {
        await handle(request, response);
      } finally {
        limit.record(performance.now() - arrivedMs, requests.running);
        leave();
      }
    },
    async write(upload, work) {
      const leave = await (upload ? admitted(checks, 'uploads') : admitted(requests, 'writes'));
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function report(requests: Admission, checks: Admission, limit: () => number): (name: string) => void {
  const meter = metrics.getMeter('husky.http');
  const refused = meter.createCounter('http.requests.refused', {
    description: 'Requests refused by overload, by class',
  });
  // A rate of a series that begins with its first refusal would miss it.
  for (const name of ['visitors', 'accounts', 'writes', 'uploads']) refused.add(0, { class: name });
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  gauge('http.requests.running', 'Admitted requests', () => requests.running + checks.running);
  gauge('http.requests.waiting', 'Requests that wait for a place', () => requests.waiting + checks.waiting);
  gauge('http.requests.limit', 'Requests that may be answered at a time', limit);
  return (name) => refused.add(1, { class: name });
}

/** Responds as http/errors.ts does, without the application: a refusal must cost next to nothing. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { message, reason, retryAfterS }: DomainError,
  corsOrigins: readonly string[],
): void {
  const body = JSON.stringify({ detail: message, reason });
  const { origin } = request.headers;
  if (origin !== undefined && corsOrigins.includes(origin)) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    response.setHeader('Vary', 'Origin');
  }
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': String(retryAfterS),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
