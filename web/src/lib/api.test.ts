import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api, buildUrl, detailOf, errorFrom, messageOf, setRefusalHandler, setRenewer } from './api.ts';
import { isReachable } from './connection.ts';
import { getToken, setToken } from './token-store.ts';

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fake = vi.fn(
    async (_url: string, _init: RequestInit) =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal('fetch', fake);
  return fake;
}
const failure = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error as ApiError);

afterEach(() => {
  vi.unstubAllGlobals();
  setToken(null);
  setRefusalHandler(() => undefined);
});

describe('the API client', () => {
  it('asks for JSON and sends the bearer token', async () => {
    setToken('abc');
    const fake = answerWith(200, { ok: true });
    expect(await api.get('/x', { query: { q: 'a b', none: undefined } })).toEqual({ ok: true });
    expect(fake.mock.calls[0]?.[0]).toBe('/x?q=a+b');
    expect(fake.mock.calls[0]?.[1].headers).toEqual({ Accept: 'application/json', Authorization: 'Bearer abc' });
  });
  it('sends no token when told to stay anonymous or signed out', async () => {
    setToken('abc');
    const fake = answerWith(200, {});
    await api.post('/auth/login', { a: 1 }, { anonymous: true });
    expect(fake.mock.calls[0]?.[1].headers).not.toHaveProperty('Authorization');
  });
  it('turns a refusal into an ApiError with its fields', async () => {
    answerWith(422, { detail: 'email: bad', reason: 'validation', errors: [{ path: 'email', message: 'bad' }] });
    const error = await failure(api.post('/auth/register', {}));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, detail: 'email: bad', reason: 'validation' });
    expect(error?.errors).toEqual([{ field: 'email', message: 'bad' }]);
  });
  it('reads Retry-After in seconds', async () => {
    answerWith(429, { detail: 'slow' }, { 'Retry-After': '17' });
    expect((await failure(api.get('/x')))?.retryAfter).toBe(17);
  });
  it('survives an error page that is no JSON', async () => {
    answerWith(502, '<html>');
    expect(await failure(api.get('/x'))).toMatchObject({ status: 502, detail: '' });
  });
  it('takes a status_code other than 200 in the body of the five calls for a failure, also below 400', async () => {
    for (const path of [
      ...['/sim/async_run', '/sim/async_run_user'],
      ...['/submission/upload', '/submission/mark_final', '/submission/unmark_final'],
    ]) {
      for (const status_code of [400, 300, 201, 0, '200']) {
        answerWith(200, { status_code, error: 'no SimplePlayer' });
        expect(await failure(api.post(path)), `${path} ${status_code}`).toMatchObject({ detail: 'no SimplePlayer' });
      }
      answerWith(200, { status_code: 200, job_id: 'j' });
      expect(await api.postForm(path, new FormData())).toEqual({ status_code: 200, job_id: 'j' });
    }
    answerWith(200, { status_code: 300 });
    expect(await failure(api.post('/sim/async_run'))).toMatchObject({ status: 300 });
  });
  it('looks for no status_code in the bodies of other calls', async () => {
    answerWith(200, { status_code: 500 });
    expect(await api.get('/llm/batch/b/metadata')).toEqual({ status_code: 500 });
  });
  it('reports a 401 or 403 only where a token was sent', async () => {
    const handler = vi.fn();
    setRefusalHandler(handler);
    answerWith(401, { detail: 'Invalid credentials' });
    await failure(api.post('/auth/login', {}, { anonymous: true }));
    expect(handler).not.toHaveBeenCalled();
    setToken('old');
    await failure(api.get('/profile'));
    answerWith(403, { detail: 'admins only' });
    await failure(api.get('/admin/users'));
    expect(handler.mock.calls).toEqual([[401], [403]]);
  });
  it('gives status 0 and marks the server as away when no answer comes', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(await failure(api.get('/x'))).toMatchObject({ status: 0, reason: 'NETWORK' });
    expect(isReachable()).toBe(false);
    answerWith(404, { detail: 'gone' });
    await failure(api.get('/x'));
    expect(isReachable()).toBe(true);
  });
  it('tells a time-out from a lost network', async () => {
    vi.stubGlobal(
      'fetch',
      (_url: string, init: RequestInit) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    expect(await failure(api.get('/x', { timeoutMs: 5 }))).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    expect(isReachable()).toBe(false);
  });
  it('ends a call whose body never comes in the same time, without calling the server away', async () => {
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      const never = new ReadableStream({
        start: (stream) => init.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(never);
    });
    for (const call of [api.get('/x', { timeoutMs: 5 }), api.blob('/x', { timeoutMs: 5 })]) {
      expect(await failure(call)).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    }
    expect(isReachable()).toBe(true);
  });
  it('does not call the server away for one call that hangs while another is answered', async () => {
    answerWith(200, {});
    await api.get('/x');
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      url === '/answered'
        ? Promise.resolve(new Response('{}'))
        : new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    const hanging = failure(api.get('/x', { timeoutMs: 20 }));
    await api.get('/answered');
    expect(await hanging).toMatchObject({ reason: 'TIMEOUT' });
    expect(isReachable()).toBe(true);
  });
});

describe('a call whose token has run out', () => {
  /** A server that knows one token. */
  function serverThatKnows(known: string) {
    const fake = vi.fn(async (_url: string, init: RequestInit) => {
      const { Authorization } = init.headers as Record<string, string>;
      const status = Authorization === `Bearer ${known}` ? 200 : 401;
      return new Response(JSON.stringify({ sent: init.body ?? null }), { status });
    });
    vi.stubGlobal('fetch', fake);
    return fake;
  }
  const bearers = (fake: ReturnType<typeof serverThatKnows>) =>
    fake.mock.calls.map(([, init]) => (init.headers as Record<string, string>).Authorization);

  afterEach(() => setRenewer(async () => 'ended'));

  it('is made once more with the new one, with all that it carried', async () => {
    setToken('old');
    const fake = serverThatKnows('new');
    const handler = vi.fn();
    setRefusalHandler(handler);
    setRenewer(async (stale) => {
      expect(stale).toBe('old');
      setToken('new');
      return 'renewed';
    });
    expect(await api.post('/x', { a: 1 })).toEqual({ sent: '{"a":1}' });
    expect(bearers(fake)).toEqual(['Bearer old', 'Bearer new']);
    expect(handler).not.toHaveBeenCalled();
  });
  it('is not made a third time when the new one is refused as well', async () => {
    setToken('old');
    const fake = serverThatKnows('another');
    setRenewer(async () => {
      setToken('new');
      return 'renewed';
    });
    expect(await failure(api.get('/x'))).toMatchObject({ status: 401 });
    expect(fake).toHaveBeenCalledTimes(2);
  });
  it('is refused where the session has ended', async () => {
    setToken('old');
    const fake = serverThatKnows('new');
    const handler = vi.fn();
    setRefusalHandler(handler);
    expect(await failure(api.get('/x'))).toMatchObject({ status: 401 });
    expect(fake).toHaveBeenCalledOnce();
    expect(handler).toHaveBeenCalledWith(401);
  });
  it('ends in its time when the renewal never does', async () => {
    setToken('old');
    serverThatKnows('new');
    setRenewer(() => new Promise(() => undefined));
    expect(await failure(api.get('/x', { timeoutMs: 20 }))).toMatchObject({ status: 0, reason: 'TIMEOUT' });
    expect(getToken()).toBe('old');
  });
  it('counts as unanswered where nobody could renew it, so that nobody is signed out', async () => {
    setToken('old');
    serverThatKnows('new');
    setRenewer(async () => 'away');
    expect(await failure(api.get('/x'))).toMatchObject({ status: 0, reason: 'IDENTITY_AWAY' });
    expect(getToken()).toBe('old');
  });
});

describe('the texts of errors', () => {
  it('prefer the detail, then the message, then the fallback', () => {
    expect(messageOf(errorFrom(409, { detail: 'held' }))).toBe('held');
    expect(messageOf(errorFrom(500, null))).toBe('Unknown error');
    expect(messageOf(errorFrom(502, null), 'Failed to load games.')).toBe('Failed to load games.');
    expect(messageOf(new Error('plain'))).toBe('plain');
    expect(messageOf(undefined)).toBe('Unknown error');
    expect(detailOf(errorFrom(500, {}), 'Login failed. Please try again.')).toBe('Login failed. Please try again.');
  });
  it('leave empty parameters out of addresses', () => {
    expect(buildUrl('/a', { q: '', page: 2, all: false })).toBe('/a?page=2&all=false');
    expect(buildUrl('/a')).toBe('/a');
  });
});
