import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAdaptiveLimit } from '@husky/runtime/rpc/adaptive-limit';
import { type Admission, createAdmission } from '@husky/runtime/rpc/admission';
import { createArrivalRate } from '@husky/runtime/rpc/arrival-rate';
import { DomainError } from '@husky/runtime/rpc/errors';
import { metrics } from '@opentelemetry/api';
import { msSinceArrival, noteArrival } from './arrival.ts';
import { type BodyBudget, createBodyBudget, hasBody } from './body-budget.ts';
import { unlimitedPaths } from './rate-limits.ts';

export interface AdmissionSettings {
  /** Maximum number of concurrent requests; 0: no limit. */
  readonly MAX_CONCURRENT_REQUESTS: number;
  /** Maximum number of uploads that are checked concurrently; 0: no limit. */
  readonly MAX_CONCURRENT_UPLOADS: number;
}

/** Classes of writes. Uploads and sign-ins take long and have slots of their own. */
export type WriteKind = 'writes' | 'sign-ins' | 'uploads';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests a second beyond which slow responses mean overload. */
const overloadPerSecond = 100;
// Without overload: `helm upgrade` can make a request take 3 s, so 20 requests a second need 60 slots.
const minLimit = { usual: 64, overload: 8 };
// Well below the objective of 250 ms for 99 of 100 responses and refusals, which includes the wait for a slot.
const maxWaitMs = 100;
const standingWaitMs = 20;
const targetMs = 80;
/** auth has a queue of its own for passwords and refuses what it cannot check in time. */
const maxSignIns = 250;
// The check of an upload takes a second or more; the objective is 5 s.
const uploadWaitMs = 4000;
const standingUploadWaitMs = 1000;
const maxWaitingUploads = 500;

export interface Admissions {
  /** Wraps the server's handler. Admits or refuses reads before they are parsed. Always admits probes. */
  reads(handle: Handle, corsOrigins: readonly string[]): Handle;
  /** Runs a write in a slot. Call it after the body has been received, so that a slow sender holds no slot. */
  write<T>(kind: WriteKind, work: () => Promise<T>): Promise<T>;
  /** Bounds the bodies that are received and those of writes that wait or run. Refusals count as those of slots. */
  readonly bodies: BodyBudget;
}

/**
 * Creates the limits on concurrent requests, of which the current party has a share. The limit of reads and writes adapts to their duration.
 * A bounded number of further requests waits; others are refused immediately with 503 and Retry-After. A stream or download frees its slot when its response
 * begins; it has limits of its own.
 */
export function createAdmissions(settings: AdmissionSettings): Admissions {
  const maxRequests = settings.MAX_CONCURRENT_REQUESTS || Infinity;
  const maxUploads = settings.MAX_CONCURRENT_UPLOADS || Infinity;
  const arrivals = createArrivalRate();
  const limit = createAdaptiveLimit({
    min: () => Math.min(minLimit[arrivals.perSecond > overloadPerSecond ? 'overload' : 'usual'], maxRequests),
    max: maxRequests,
    first: Math.min(minLimit.usual, maxRequests),
    targetMs,
  });
  // Each class (visitors, accounts, writes) has an equal share of the slots, so that no class starves another.
  const requests = createAdmission({
    limit: () => (maxRequests === Infinity ? Infinity : limit.current),
    share: { account: 1 / 2, address: 7 / 8 },
    maxWaiting: 2 * maxRequests,
    maxWaitMs,
    standingWaitMs,
  });
  const uploads = createAdmission({
    limit: () => maxUploads,
    share: { account: 1 / 8, address: 1 / 4 },
    maxWaiting: maxWaitingUploads,
    maxWaitMs: uploadWaitMs,
    standingWaitMs: standingUploadWaitMs,
  });
  const signIns = createAdmission({
    limit: () => (maxRequests === Infinity ? Infinity : maxSignIns),
    share: { account: 1 / 4, address: 1 / 4 },
    maxWaiting: 0,
    maxWaitMs: 0,
    standingWaitMs: 0,
  });
  const admissionOf = { uploads, 'sign-ins': signIns, writes: requests };
  const countRefusal = registerMetrics(Object.values(admissionOf), () => limit.current);

  async function enter(admission: Admission, name: string, signal?: AbortSignal): Promise<() => void> {
    return admission.enter(name, { signal }).catch((error: unknown) => {
      if (error instanceof DomainError) countRefusal(name);
      throw error;
    });
  }

  return {
    bodies: createBodyBudget(countRefusal),
    reads: (handle, corsOrigins) => async (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (!readMethods.has(request.method ?? '') || unlimitedPaths.has(path)) return handle(request, response);
      // Nobody needs it, and unread it would take memory while its request waits.
      if (hasBody(request)) request.resume();
      arrivals.record();
      noteArrival(request);
      const disconnected = new AbortController();
      const abort = () => disconnected.abort(new Error('The client has disconnected.'));
      response.once('close', abort);
      const name = request.headers.authorization === undefined ? 'visitors' : 'accounts';
      let leave: () => void;
      try {
        leave = await enter(requests, name, disconnected.signal);
      } catch (error) {
        if (error instanceof DomainError) refuse(request, response, error, corsOrigins);
        return;
      } finally {
        response.off('close', abort);
      }
      try {
        await handle(request, response);
      } finally {
        limit.record(msSinceArrival(request), requests.running);
        leave();
      }
    },
    async write(kind, work) {
      const leave = await enter(admissionOf[kind], kind);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** Registers the metrics of admission. Returns a function that counts a refusal of a class. */
function registerMetrics(admissions: readonly Admission[], limit: () => number): (name: string) => void {
  const meter = metrics.getMeter('husky.http');
  const refused = meter.createCounter('http.requests.refused', {
    description: 'Requests refused by overload, by class',
  });
  // Starts each series at 0: PromQL's rate() does not see an increase before the first sample.
  for (const name of ['visitors', 'accounts', 'writes', 'sign-ins', 'uploads']) refused.add(0, { class: name });
  const sum = (read: (admission: Admission) => number) => admissions.map(read).reduce((a, b) => a + b, 0);
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  gauge('http.requests.running', 'Admitted requests', () => sum(({ running }) => running));
  gauge('http.requests.waiting', 'Requests that wait for a place', () => sum(({ waiting }) => waiting));
  gauge('http.requests.limit', 'Requests that may be answered at a time', limit);
  return (name) => refused.add(1, { class: name });
}

/** Sends the same response as http/errors.ts without running the application, because a refusal must be cheap. */
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
