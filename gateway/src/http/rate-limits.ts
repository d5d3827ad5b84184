import type { Caller } from '@husky/runtime/rpc/caller';
import { networkOf } from '@husky/runtime/rpc/network';
import type Koa from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from './errors.ts';

/** Maximum number of requests; 0: no limit. */
export interface RateLimitSettings {
  /** GET and HEAD, per address in 10 s. Derived: other methods a sixth; all requests of one account a fifth; its uploads in 60 s a hundredth. */
  readonly RATE_LIMIT_READS: number;
  /** Sign-in, registration and forgotten passwords, per address in 60 s. */
  readonly RATE_LIMIT_SIGN_INS: number;
}

interface Limit {
  readonly policy: string;
  readonly limiter: RateLimiterMemory;
  /** What each account, or device that has signed in before, has when its address is at the limit: somebody else may have used it up. */
  readonly reserve: RateLimiterMemory;
}
/** The part of the limit of an address that each account and device there has as a reserve. */
const reservePart = 1 / 20;

/** The fields of a route on which its limit depends. */
interface LimitedRoute {
  readonly path: string;
  readonly access: string;
  readonly multipart?: unknown;
}

/** Counts requests in this process: each replica of the gateway has its own limits. */
export interface RateLimiter {
  /**
   * Counts by address and class of route, before any call to a service. Throws 429 beyond the limit. `reserved` names an account or device
   * whose requests then count for its own reserve; empty: none.
   */
  byAddress(ctx: Koa.Context, route: LimitedRoute | undefined, reserved: string): Promise<void>;
  /** Counts by account. Throws 429 beyond the limit. */
  byAccount(ctx: Koa.Context, route: LimitedRoute, caller: Caller): Promise<void>;
}

/** Paths of probes and scrapers, which poll from one address and cause no call to a service. */
export const unlimitedPaths: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

export function createRateLimiter({ RATE_LIMIT_READS, RATE_LIMIT_SIGN_INS }: RateLimitSettings): RateLimiter {
  const limits = {
    reads: limit('reads', RATE_LIMIT_READS, 10),
    writes: limit('writes', RATE_LIMIT_READS / 6, 10),
    'sign-ins': limit('sign-ins', RATE_LIMIT_SIGN_INS, 60),
    uploads: limit('uploads', RATE_LIMIT_READS / 100, 60),
    account: limit('account', RATE_LIMIT_READS / 5, 10),
  };
  return {
    async byAddress(ctx, route, reserved) {
      if (route && unlimitedPaths.has(route.path)) return;
      await take(ctx, limits[classOf(ctx.method, route)], addressKey(ctx.ip), reserved);
    },
    async byAccount(ctx, route, caller) {
      if (caller.kind !== 'user') return;
      if (route.multipart) await take(ctx, limits.uploads, caller.id);
      await take(ctx, limits.account, caller.id);
    },
  };
}

function limit(name: string, requests: number, duration: number): Limit | undefined {
  if (requests === 0) return undefined;
  const points = Math.ceil(requests);
  const of = (part: number) => new RateLimiterMemory({ keyPrefix: name, points: Math.ceil(points * part), duration });
  return { policy: `"${name}";q=${points};w=${duration}`, limiter: of(1), reserve: of(reservePart) };
}

/** Returns the class of a request by its cost: sign-ins hash a password. */
export function classOf(method: string, route: LimitedRoute | undefined): 'reads' | 'writes' | 'sign-ins' {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'reads';
  return route?.path.startsWith('/auth/') && route.access === 'anyone' ? 'sign-ins' : 'writes';
}

/** Returns the key of an address: the whole IPv4 address, or the /64 network of an IPv6 address. */
export const addressKey = (address: string): string => networkOf(address, { v4: 32, v6: 64 });

function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
}

async function take(ctx: Koa.Context, limited: Limit | undefined, key: string, reserved = ''): Promise<void> {
  if (!limited) return;
  const ofKey = await consume(limited.limiter, key);
  const isBeyond = ofKey.consumedPoints > limited.limiter.points;
  const limiter = isBeyond && reserved !== '' ? limited.reserve : limited.limiter;
  const taken = limiter === limited.reserve ? await consume(limiter, reserved) : ofKey;
  // The headers of draft-ietf-httpapi-ratelimit-headers, for the limit checked last.
  const seconds = Math.max(1, Math.ceil(taken.msBeforeNext / 1000));
  const [name = ''] = limited.policy.split(';');
  ctx.set({ 'RateLimit-Policy': limited.policy, RateLimit: `${name};r=${taken.remainingPoints};t=${seconds}` });
  if (taken.consumedPoints <= limiter.points) return;
  throw new HttpError(429, 'too-many-requests', `Too many requests: please wait ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
