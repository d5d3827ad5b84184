import { type Admission, createAdmission } from '@husky/runtime/rpc/admission';
import { DomainError } from '@husky/runtime/rpc/errors';
import { metrics } from '@opentelemetry/api';
import type Koa from 'koa';
import { type BodyBudget, createBodyBudget, hasBody } from './body-budget.ts';
import { classOf, unlimitedPaths } from './rate-limits.ts';

export interface AdmissionSettings {
  /** Maximum number of concurrent requests; uploads: an eighth; 0: no limit. */
  readonly MAX_CONCURRENT_REQUESTS: number;
}

/** Classes of writes. Uploads and sign-ins take long and have slots of their own. */
export type WriteKind = 'writes' | 'sign-ins' | 'uploads';

/** auth has a queue of its own for passwords and refuses what it cannot check in time. */
const maxSignIns = 250;

export interface Admissions {
  /** Admits or refuses reads before they are observed and routed. Always admits probes. */
  readonly reads: Koa.Middleware;
  /** Runs a write in a slot. Call it after the body has been received, so that a slow sender holds no slot. */
  write<T>(kind: WriteKind, work: () => Promise<T>): Promise<T>;
  /** Bounds the bodies that are received and those of writes that wait or run. Refusals count as those of slots. */
  readonly bodies: BodyBudget;
}

/**
 * Creates the limits on concurrent requests, of which the current party has a share. Visitors, accounts and writes have equal parts. A
 * bounded number of further requests waits; others are refused with 503 and Retry-After. A stream or download frees its slot when its
 * response begins; it has limits of its own.
 */
export function createAdmissions({ MAX_CONCURRENT_REQUESTS }: AdmissionSettings): Admissions {
  const max = MAX_CONCURRENT_REQUESTS || Infinity;
  const slots = createAdaptiveSlots(max);
  const requests = createAdmission({
    limit: () => slots.current,
    share: { account: 1 / 2, address: 7 / 8 },
    maxWaiting: 2 * max,
    // Well below the objective of 250 ms for 99 of 100 responses and refusals, which includes the wait for a slot.
    maxWaitMs: 100,
    standingWaitMs: 20,
  });
  const uploads = createAdmission({
    limit: () => Math.ceil(max / 8),
    share: { account: 1 / 8, address: 1 / 4 },
    maxWaiting: 500,
    // The check of an upload takes a second or more; the objective is 5 s.
    maxWaitMs: 4000,
    standingWaitMs: 1000,
  });
  const signIns = createAdmission({
    limit: () => (max === Infinity ? max : maxSignIns),
    share: { account: 1 / 4, address: 1 / 4 },
  });
  const admissionOf = { uploads, 'sign-ins': signIns, writes: requests };
  const countRefusal = registerMetrics(Object.values(admissionOf), () => slots.current);

  async function enter(admission: Admission, name: string, signal?: AbortSignal): Promise<() => void> {
    return admission.enter(name, { signal }).catch((error: unknown) => {
      if (error instanceof DomainError) countRefusal(name);
      throw error;
    });
  }

  return {
    bodies: createBodyBudget(countRefusal),
    async reads(ctx, next) {
      if (classOf(ctx.method, undefined) !== 'reads' || unlimitedPaths.has(ctx.path)) return next();
      // Nobody needs it, and unread it would take memory while its request waits.
      if (hasBody(ctx.req)) ctx.req.resume();
      const arrivedMs = performance.now();
      ctx.state.arrivedMs = arrivedMs;
      slots.countArrival();
      const disconnected = new AbortController();
      const abort = () => disconnected.abort(new Error('The client has disconnected'));
      ctx.res.once('close', abort);
      let leave: () => void;
      try {
        leave = await enter(requests, ctx.get('authorization') === '' ? 'visitors' : 'accounts', disconnected.signal);
      } catch (error) {
        ctx.respond = error instanceof DomainError;
        if (!(error instanceof DomainError)) return;
        ctx.status = 503;
        ctx.set({ 'Retry-After': String(error.retryAfterS), 'Cache-Control': 'no-store' });
        ctx.body = { detail: error.message, reason: error.reason };
        return;
      } finally {
        ctx.res.off('close', abort);
      }
      try {
        await next();
      } finally {
        slots.record(performance.now() - arrivedMs, requests.running);
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

/** Requests a second beyond which slow responses mean overload. */
const overloadPerSecond = 100;
// Without overload: `helm upgrade` can make a request take 3 s, so 20 requests a second need 60 slots.
const minSlots = { usual: 64, overload: 8 };
const firstSlots = 64;
/** The slots decrease while more than a twentieth of the reads take longer. */
const targetMs = 80;
const minPeriodMs = 250;
/** With fewer reads the part of slow ones is not significant. */
const minSamples = 20;

/**
 * Creates a number of slots that adapts to the durations of reads: after a period with many slow ones a quarter less, otherwise four more
 * (additive increase, multiplicative decrease, as TCP does). Only periods in which half of them were in use count.
 */
export function createAdaptiveSlots(max: number, now = () => performance.now()) {
  let current = Math.min(firstSlots, max);
  const newPeriod = () => ({ sinceMs: now(), arrivals: 0, samples: 0, late: 0, maxRunning: 0 });
  let period = newPeriod();
  return {
    get current() {
      return max === Infinity ? max : Math.floor(current);
    },
    countArrival() {
      period.arrivals += 1;
    },
    /** Records a read, and the number of requests that ran beside it. */
    record(durationMs: number, running: number) {
      period.samples += 1;
      if (durationMs > targetMs) period.late += 1;
      period.maxRunning = Math.max(period.maxRunning, running);
      const { sinceMs, arrivals, samples, late, maxRunning } = period;
      const periodMs = now() - sinceMs;
      if (samples < minSamples || periodMs < minPeriodMs) return;
      if (maxRunning >= current / 2) current = late > samples / 20 ? 0.75 * current : current + firstSlots / 16;
      const isOverload = (1000 * arrivals) / periodMs > overloadPerSecond;
      current = Math.min(max, Math.max(minSlots[isOverload ? 'overload' : 'usual'], current));
      period = newPeriod();
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
