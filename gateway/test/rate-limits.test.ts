import Koa from 'koa';
import { expect, test } from 'vitest';
import { HttpError } from '../src/http/errors.ts';
import { addressKey, createRateLimiter } from '../src/http/rate-limits.ts';
import type { Route } from '../src/http/route.ts';

const off = { RATE_LIMIT_READS: 0, RATE_LIMIT_SIGN_INS: 0 };
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
  const limiter = createRateLimiter({ RATE_LIMIT_SIGN_INS: 2, RATE_LIMIT_READS: 100 });
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
    const limiter = createRateLimiter({ RATE_LIMIT_SIGN_INS: 40, RATE_LIMIT_READS: 40 });
    const send = (reserved: string) => refused(limiter.byAddress(request(method, '10.0.0.1'), path, reserved));
    for (let sent = 0; sent < 100; sent++) await send('');
    expect((await send(''))?.status).toBe(429);
    expect([await send('a'), await send('a'), await send('b')]).toEqual([undefined, undefined, undefined]);
    expect((await send('a'))?.status, 'a twentieth').toBe(429);
  },
);

test('counts uploads by account, independently of the address', async () => {
  const limiter = createRateLimiter({ ...off, RATE_LIMIT_READS: 100 });
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
