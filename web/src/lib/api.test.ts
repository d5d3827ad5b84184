import { afterEach, describe, expect, it, vi } from 'vitest';
import { getToken, setToken } from '../session/tokens.ts';
import { api, buildUrl, isReachable, setRefusalHandler, setRenewer } from './api.ts';
import { ApiError, detailOf, errorFrom, messageOf } from './api-error.ts';

function respondWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetchStub = vi.fn(
    async (_url: string, _init: RequestInit) =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}
const ANN = { username: 'ann', password: 'a long password' };
const failure = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error as ApiError);

afterEach(() => {
  vi.unstubAllGlobals();
  setToken(null);
  setRefusalHandler(() => undefined);
});

describe('the API client', () => {
  it('requests JSON and sends the bearer token', async () => {
    setToken('abc');
    const fetchStub = respondWith(200, { ok: true });
    expect(await api.get('/admin/jobs', { query: { q: 'a b', status: undefined } })).toEqual({ ok: true });
    expect(fetchStub.mock.calls[0]?.[0]).toBe('/admin/jobs?q=a+b');
    expect(fetchStub.mock.calls[0]?.[1].headers).toEqual({
      Accept: 'application/json',
      Authorization: 'Bearer abc',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
  });
  it('sends no token with the option `anonymous`', async () => {
    setToken('abc');
    const fetchStub = respondWith(200, {});
    await api.post('/auth/login', { body: ANN, anonymous: true });
    expect(fetchStub.mock.calls[0]?.[1].headers).not.toHaveProperty('Authorization');
  });
  it('converts an error response to an ApiError with its fields', async () => {
    respondWith(422, { detail: 'email: bad', reason: 'validation', errors: [{ path: 'email', message: 'bad' }] });
    const error = await failure(api.post('/auth/register', { body: { ...ANN, email: 'bad' } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, detail: 'email: bad', reason: 'validation' });
    expect(error?.errors).toEqual([{ field: 'email', message: 'bad' }]);
  });
  it.each([
    [401, ['Unauthorized access - redirecting to login', 'GET /profile failed: no']],
    [500, ['GET /profile failed: no']],
    [200, []],
  ])('logs a response with status %i, without its address and token', async (status, expected) => {
    const log = vi.spyOn(console, 'warn').mockReturnValue();
    respondWith(status, { detail: 'no' });
    for (const anonymous of [true, false]) {
      log.mockClear();
      if (!anonymous) setToken('secret');
      await failure(api.get('/profile', { anonymous }));
      expect(log.mock.calls.map(([text]) => text)).toEqual(expected);
    }
    log.mockRestore();
  });
  it('repeats a call that creates once, with the same key, and no other call', async () => {
    vi.useFakeTimers();
    const answers = [new TypeError('lost'), 502, 503, 504, 500, 201];
    const keysOf = async (create: boolean, ...statuses: unknown[]) => {
      const fetchStub = vi.fn(async (_url: string, _init: RequestInit) => {
        const [next] = statuses.splice(0, 1);
        if (typeof next !== 'number') throw next;
        return new Response('{}', { status: next });
      });
      vi.stubGlobal('fetch', fetchStub);
      const call = failure(create ? api.post('/sim/run_again', { body: {} }) : api.post('/auth/resend-verification'));
      await vi.advanceTimersByTimeAsync(2000);
      const failed = await call;
      const keys = fetchStub.mock.calls.map(
        ([, { headers }]) => (headers as Record<string, string>)['Idempotency-Key'],
      );
      return { failed: failed?.status, keys };
    };
    const key = expect.stringMatching(/^[0-9a-f]{32}$/);
    for (const answer of answers.slice(0, 4)) {
      const { failed, keys } = await keysOf(true, answer, 201);
      expect({ failed, keys }).toEqual({ failed: undefined, keys: [key, keys[0]] });
      expect((await keysOf(false, answer, 201)).keys).toEqual([undefined]);
    }
    for (const answer of answers.slice(4)) expect((await keysOf(true, answer)).keys).toEqual([key]);
    expect(await keysOf(true, 503, 502)).toMatchObject({ failed: 502, keys: [key, key] });
    vi.useRealTimers();
  });
  it('reads Retry-After in seconds', async () => {
    respondWith(429, { detail: 'slow' }, { 'Retry-After': '17' });
    expect((await failure(api.get('/profile')))?.retryAfter).toBe(17);
  });
  it('accepts an error page that is not JSON', async () => {
    respondWith(502, '<html>');
    expect(await failure(api.get('/profile'))).toMatchObject({ status: 502, detail: '' });
  });
  it('fails the five calls with their own status_code if it is not 200, also below 400', async () => {
    const form = new FormData();
    const body = { submission_id: 's' };
    const calls = [
      () => api.post('/sim/async_run', { body: form }),
      () => api.post('/sim/async_run_user', { body: { users_list: [] } }),
      () => api.post('/submission/upload', { body: form }),
      () => api.post('/submission/mark_final', { body }),
      () => api.post('/submission/unmark_final', { body }),
    ];
    for (const call of calls) {
      for (const status_code of [400, 300, 201, 0, '200']) {
        respondWith(200, { status_code, error: 'no SimplePlayer' });
        expect(await failure(call()), `${call} ${status_code}`).toMatchObject({ detail: 'no SimplePlayer' });
      }
      respondWith(200, { status_code: 200, job_id: 'j' });
      expect(await call()).toEqual({ status_code: 200, job_id: 'j' });
    }
    respondWith(200, { status_code: 300 });
    expect(await failure(api.post('/sim/async_run', { body: form }))).toMatchObject({ status: 300 });
  });
  it('ignores a status_code in the bodies of other calls', async () => {
    respondWith(200, { status_code: 500 });
    expect(await api.get('/llm/batch/{id}/metadata', { params: { id: 'b' } })).toEqual({ status_code: 500 });
  });
  it('reports a 401 or 403 only if a token was sent', async () => {
    const handler = vi.fn();
    setRefusalHandler(handler);
    respondWith(401, { detail: 'Invalid credentials' });
    await failure(api.post('/auth/login', { body: ANN, anonymous: true }));
    expect(handler).not.toHaveBeenCalled();
    setToken('old');
    await failure(api.get('/profile'));
    respondWith(403, { detail: 'admins only' });
    await failure(api.get('/admin/users'));
    expect(handler.mock.calls).toEqual([[401], [403]]);
  });
  it('fails with status 0 and marks the server as unreachable without a response', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(await failure(api.get('/profile'))).toMatchObject({ status: 0, reason: 'NETWORK' });
    expect(isReachable()).toBe(false);
    respondWith(404, { detail: 'not found' });
    await failure(api.get('/profile'));
    expect(isReachable()).toBe(true);
  });
  it('distinguishes a timeout from a network error', async () => {
    vi.stubGlobal(
      'fetch',
      (_url: string, init: RequestInit) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    expect(await failure(api.get('/profile', { timeoutMs: 5 }))).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    expect(isReachable()).toBe(false);
  });
  it('applies the timeout to the body, and then keeps the server marked as reachable', async () => {
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      const never = new ReadableStream({
        start: (stream) => init.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(never);
    });
    for (const call of [api.get('/profile', { timeoutMs: 5 }), api.blob('/auth/export', { timeoutMs: 5 })]) {
      expect(await failure(call)).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    }
    expect(isReachable()).toBe(true);
  });
  it('keeps the server marked as reachable if one call hangs while another gets a response', async () => {
    respondWith(200, {});
    await api.get('/profile');
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      url === '/healthz'
        ? Promise.resolve(new Response('{}'))
        : new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    const hanging = failure(api.get('/profile', { timeoutMs: 20 }));
    await api.get('/healthz');
    expect(await hanging).toMatchObject({ reason: 'TIMEOUT' });
    expect(isReachable()).toBe(true);
  });
});

// Never called: the type check fails if one of these calls has no type error.
export const refusedByTheTypeCheck = () => [
  // @ts-expect-error a path that does not exist
  api.get('/profiles'),
  // @ts-expect-error a method that the path does not have
  api.delete('/profile'),
  // @ts-expect-error a missing path parameter
  api.get('/profile/{username}'),
  // @ts-expect-error a path parameter of another name
  api.get('/profile/{username}', { params: { name: 'ann' } }),
  // @ts-expect-error an optional query parameter of another name
  api.get('/admin/jobs', { query: { size: 25 } }),
  // @ts-expect-error an optional body field of another name
  api.post('/admin/settings', { body: { notice: 'x' } }),
  // @ts-expect-error a field that the response does not have
  api.get('/auth/whoami').then((user) => user.nickname),
];

describe('a call with an expired token', () => {
  /** Stubs a server that accepts one token. */
  function serverAccepting(accepted: string) {
    const fetchStub = vi.fn(async (_url: string, init: RequestInit) => {
      const { Authorization } = init.headers as Record<string, string>;
      const status = Authorization === `Bearer ${accepted}` ? 200 : 401;
      return new Response(JSON.stringify({ sent: init.body ?? null }), { status });
    });
    vi.stubGlobal('fetch', fetchStub);
    return fetchStub;
  }
  const bearers = (fetchStub: ReturnType<typeof serverAccepting>) =>
    fetchStub.mock.calls.map(([, init]) => (init.headers as Record<string, string>).Authorization);

  afterEach(() => setRenewer(async () => 'ended'));

  it('is retried once with the new token and the same body', async () => {
    setToken('old');
    const fetchStub = serverAccepting('new');
    const handler = vi.fn();
    setRefusalHandler(handler);
    setRenewer(async (stale) => {
      expect(stale).toBe('old');
      setToken('new');
      return 'renewed';
    });
    expect(await api.post('/auth/logout', { body: { token: 'old' } })).toEqual({ sent: '{"token":"old"}' });
    expect(bearers(fetchStub)).toEqual(['Bearer old', 'Bearer new']);
    expect(handler).not.toHaveBeenCalled();
  });
  it('is not retried again if the new token is refused too', async () => {
    setToken('old');
    const fetchStub = serverAccepting('another');
    setRenewer(async () => {
      setToken('new');
      return 'renewed';
    });
    expect(await failure(api.get('/profile'))).toMatchObject({ status: 401 });
    expect(fetchStub).toHaveBeenCalledTimes(2);
  });
  it('fails with 401 if the session has ended', async () => {
    setToken('old');
    const fetchStub = serverAccepting('new');
    const handler = vi.fn();
    setRefusalHandler(handler);
    expect(await failure(api.get('/profile'))).toMatchObject({ status: 401 });
    expect(fetchStub).toHaveBeenCalledOnce();
    expect(handler).toHaveBeenCalledWith(401);
  });
  it('times out if the renewal never ends', async () => {
    setToken('old');
    serverAccepting('new');
    setRenewer(() => new Promise(() => undefined));
    expect(await failure(api.get('/profile', { timeoutMs: 20 }))).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    expect(getToken()).toBe('old');
  });
  it('fails with status 0 if the identity service is unreachable, so that nobody is signed out', async () => {
    setToken('old');
    serverAccepting('new');
    setRenewer(async () => 'unreachable');
    expect(await failure(api.get('/profile'))).toMatchObject({ status: 0, reason: 'IDENTITY_UNREACHABLE' });
    expect(getToken()).toBe('old');
  });
});

describe('error texts', () => {
  it('prefer the detail, then the message, then the fallback', () => {
    expect(messageOf(errorFrom(409, { detail: 'held' }))).toBe('held');
    expect(messageOf(errorFrom(500, null))).toBe('Unknown error');
    expect(messageOf(errorFrom(502, null), 'Failed to load games.')).toBe('Failed to load games.');
    expect(messageOf(new Error('plain'))).toBe('plain');
    expect(messageOf(undefined)).toBe('Unknown error');
    expect(detailOf(errorFrom(500, {}), 'Login failed. Please try again.')).toBe('Login failed. Please try again.');
  });
  it('buildUrl leaves out empty parameters', () => {
    expect(buildUrl('/a', { query: { q: '', page: 2, all: false } })).toBe('/a?page=2&all=false');
    expect(buildUrl('/a', { query: { q: '' }, sendEmpty: true })).toBe('/a?q=');
    expect(buildUrl('/a')).toBe('/a');
    expect(buildUrl('/a/{id}/b', { params: { id: 'x/y z' } })).toBe('/a/x%2Fy%20z/b');
  });
});
