// A gateway without a free slot, over real connections, with doubles of the services.
import { EventEmitter } from 'node:events';
import { authService, liveDataService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import Koa from 'koa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAdmissions } from '../src/http/admission.ts';
import { HttpError } from '../src/http/errors.ts';
import { addressKey, createRateLimiter } from '../src/http/rate-limits.ts';
import type { Route } from '../src/http/route.ts';
import { startEdge } from './edge.ts';

/** Starts a gateway with `slots`, and an auth service that returns its keys only after `release`. */
async function startBusy(slots: number) {
  let release: () => void = () => undefined;
  let waiting = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const auth = await startDouble(authService, anyone, {
    async getKeys() {
      waiting += 1;
      await released;
      return { jwksJson: '{}' };
    },
  });
  const { origin, stop } = await startEdge(
    { auth: auth.address },
    { settings: { MAX_CONCURRENT_REQUESTS: slots, corsOrigins: ['https://other.example'] } },
  );
  onTestFinished(async () => {
    release();
    await stop();
    await auth.stop();
  });
  const read = (signal?: AbortSignal) =>
    fetch(`${origin}/.well-known/jwks.json`, {
      headers: { origin: 'https://other.example' },
      ...(signal ? { signal } : {}),
    });
  return { origin, read, release: () => release(), waiting: () => waiting };
}

test('refuses with 503, a sentence and Retry-After when no slot is free', async () => {
  const { read, release, waiting } = await startBusy(2);
  const admitted = [read(), read()];
  await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
  const refused = await read();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://other.example');
  expect(await refused.json()).toEqual({
    detail: 'More requests arrive than can be answered in time: please try again in some seconds',
    reason: 'overloaded',
  });
  release();
  expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await read()).status).toBe(200);
});

test('serves probes while no slot is free', async () => {
  const { origin, read, release, waiting } = await startBusy(1);
  const admitted = read();
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  release();
  await admitted;
});

test('gives no slot to a write that is still being sent', async () => {
  const { origin, read, release, waiting } = await startBusy(1);
  release();
  const abort = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"username":')) });
  const headers = { 'content-type': 'application/json' };
  const slow = { method: 'POST', headers, body, duplex: 'half', signal: abort.signal } as RequestInit;
  const sending = fetch(`${origin}/auth/login`, slow).catch(() => 'aborted');
  expect((await read()).status).toBe(200);
  expect(waiting()).toBe(1);
  abort.abort();
  expect(await sending).toBe('aborted');
});

test('discards the body of a read that waits for a slot', async () => {
  const admissions = createAdmissions({ MAX_CONCURRENT_REQUESTS: 1, MAX_CONCURRENT_UPLOADS: 0 });
  const admitted = Promise.withResolvers<void>();
  const discarded = vi.fn();
  const read = admissions.reads(() => admitted.promise, []);
  const response = Object.assign(new EventEmitter(), { writeHead: vi.fn(), end: vi.fn() });
  const arrive = () =>
    read(
      { method: 'GET', url: '/', headers: { 'transfer-encoding': 'chunked' }, resume: discarded } as never,
      response as never,
    );
  const arrived = [arrive(), arrive()];
  expect(discarded).toHaveBeenCalledTimes(2);
  admitted.resolve();
  await Promise.all(arrived);
});

// Retry-After of refusals, over a real gateway and doubles of the services.
async function start(refusal?: DomainError) {
  const fail = async () => {
    throw refusal;
  };
  const auth = refusal && (await startDouble(authService, anyone, { getKeys: fail, login: fail }));
  const liveData = refusal && (await startDouble(liveDataService, anyone, { listMatches: fail }));
  const { origin, stop } = await startEdge(auth && liveData ? { auth: auth.address, liveData: liveData.address } : {});
  onTestFinished(async () => {
    await stop();
    await auth?.stop();
    await liveData?.stop();
  });
  const signIn = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'somebody', password: 'a password' }),
  };
  const read = () => fetch(`${origin}/.well-known/jwks.json`);
  return { read, write: () => fetch(`${origin}/auth/login`, signIn) };
}

const retryAfter = (response: Response) => Number(response.headers.get('retry-after') ?? Number.NaN);

test('a read that fails because a service is away says when to try again; a write, whose outcome is unknown, does not', async () => {
  const { read, write } = await start();
  const reads = await Promise.all(Array.from({ length: 20 }, read));
  for (const response of reads) {
    expect(response.status).toBe(503);
    expect([2, 3, 4]).toContain(retryAfter(response));
  }
  expect(new Set(reads.map(retryAfter)).size, 'clients do not all return at the same time').toBeGreaterThan(1);
  expect(await reads[0]?.json()).toEqual({
    detail: 'The auth service is not available right now',
    reason: 'service-unavailable',
  });
  const written = await write();
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, null]);
});

test('a refusal that names its time keeps it, also of a write', async () => {
  const { read, write } = await start(
    new DomainError('UNAVAILABLE', 'overloaded', 'More requests arrive than can be answered', { retryAfterS: 7 }),
  );
  for (const response of [await read(), await write()]) {
    expect([response.status, retryAfter(response)]).toEqual([503, 7]);
  }
});

test('a service that was too slow is no reason to come back soon', async () => {
  const { read } = await start(new DomainError('DEADLINE_EXCEEDED', 'deadline-exceeded', 'not in time'));
  const response = await read();
  expect([response.status, response.headers.get('retry-after')]).toEqual([504, null]);
});

const off = {
  RATE_LIMIT_READS: 0,
  RATE_LIMIT_WRITES: 0,
  RATE_LIMIT_SIGN_INS: 0,
  RATE_LIMIT_UPLOADS: 0,
  RATE_LIMIT_ACCOUNT: 0,
};
const app = new Koa();

function request(method: string, ip: string): Koa.Context & { readonly responseHeaders: Record<string, string> } {
  const responseHeaders: Record<string, string> = {};
  const set = (headers: Record<string, string>) => Object.assign(responseHeaders, headers);
  return { app, method, ip, set, responseHeaders } as unknown as Koa.Context & {
    readonly responseHeaders: Record<string, string>;
  };
}

const route = (path: string, access: Route['access'], more: Partial<Route> = {}): Route =>
  ({ method: 'post', path, access, summary: '', response: 'file', handle: async () => ({}), ...more }) as Route;
const login = route('/auth/login', 'anyone');
const upload = route('/submission/upload', 'verified', {
  multipart: { files: { 'player.py': ['playerFile'] }, missing: '' },
});

async function refused(work: Promise<void>): Promise<HttpError | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => error as HttpError,
  );
}

test('counts sign-ins by address, apart from reads and from other addresses', async () => {
  const limiter = createRateLimiter({ ...off, RATE_LIMIT_SIGN_INS: 2, RATE_LIMIT_READS: 100 });
  for (const left of [1, 0]) {
    const ctx = request('POST', '10.0.0.1');
    await limiter.byAddress(ctx, login, '');
    expect(ctx.responseHeaders).toEqual({
      'RateLimit-Policy': '"sign-ins";q=2;w=60',
      RateLimit: `"sign-ins";r=${left};t=60`,
    });
  }
  const third = await refused(limiter.byAddress(request('POST', '10.0.0.1'), login, ''));
  expect(third).toBeInstanceOf(HttpError);
  expect(third?.status).toBe(429);
  expect(Number(third?.headers['Retry-After'])).toBeGreaterThan(0);
  expect(await refused(limiter.byAddress(request('POST', '10.0.0.2'), login, ''))).toBeUndefined();
  expect(await refused(limiter.byAddress(request('GET', '10.0.0.1'), undefined, ''))).toBeUndefined();
});

test.each([
  ['account', 'GET', undefined],
  ['device that has signed in before', 'POST', login],
] as const)(
  'leaves a reserve to each %s when others have used up the limit of its address',
  async (_who, method, path) => {
    const limiter = createRateLimiter({ ...off, RATE_LIMIT_SIGN_INS: 40, RATE_LIMIT_READS: 40 });
    const send = (reserved: string) => refused(limiter.byAddress(request(method, '10.0.0.1'), path, reserved));
    for (let sent = 0; sent < 100; sent++) await send('');
    expect((await send(''))?.status).toBe(429);
    expect([await send('a'), await send('a'), await send('b')]).toEqual([undefined, undefined, undefined]);
    expect((await send('a'))?.status, 'a twentieth').toBe(429);
  },
);

test('counts uploads by account, independently of the address', async () => {
  const limiter = createRateLimiter({ ...off, RATE_LIMIT_UPLOADS: 1 });
  const caller = (id: string) => ({ kind: 'user', id, username: id, admin: false, verified: true }) as const;
  const once = (id: string) => refused(limiter.byAccount(request('POST', '10.0.0.1'), upload, caller(id)));
  expect(await once('a')).toBeUndefined();
  expect((await once('a'))?.status).toBe(429);
  expect(await once('b')).toBeUndefined();
});

test('has no limit at 0, and does not count probes', async () => {
  const none = createRateLimiter(off);
  const tight = createRateLimiter({ ...off, RATE_LIMIT_READS: 1 });
  const healthz = route('/healthz', 'anyone');
  for (let index = 0; index < 5; index++) {
    expect(await refused(none.byAddress(request('GET', '10.0.0.1'), undefined, ''))).toBeUndefined();
    expect(await refused(tight.byAddress(request('GET', '10.0.0.1'), healthz, ''))).toBeUndefined();
  }
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
