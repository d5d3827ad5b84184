import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const ANN = { username: 'ann', admin: false, is_verified: true };

/** Opens a tab; `otherTab` simulates another tab of the same browser. */
async function openTab() {
  const stored = new Map([['token', 't']]);
  const handlers = new Map<string, (event: unknown) => void>();
  const target = {
    addEventListener: (type: string, listener: (event: unknown) => void) => handlers.set(type, listener),
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const document = { ...target, hidden: false };
  vi.stubGlobal('window', target);
  vi.stubGlobal('document', document);
  const fetch = vi.fn(async () => new Response(JSON.stringify(ANN)));
  vi.stubGlobal('fetch', fetch);
  const api = await import('../lib/api.ts');
  const session = await import('./session.ts');
  session.startSession({ awaitRedirect: false });
  await vi.waitFor(() => expect(session.getSession().phase).toBe('signed-in'), 10_000);
  const otherTab = (work: () => void) => {
    work();
    handlers.get('storage')?.({ key: 'token' });
  };
  return { api: api.api, session, stored, otherTab, fetch, document, focus: () => handlers.get('focus')?.({}) };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a session in several tabs', () => {
  it('ends when another tab signs out', async () => {
    const { session, stored, otherTab } = await openTab();
    otherTab(() => {
      stored.set('husky.signed-out', 'yes');
      stored.delete('token');
    });
    expect(session.getSession()).toEqual({ phase: 'anonymous', user: null, ended: false });
  });
  it('keeps its page when another tab reports that it ended, and continues after a sign-in in another tab', async () => {
    const { session, stored, otherTab } = await openTab();
    otherTab(() => stored.delete('token'));
    expect(session.getSession()).toEqual({ phase: 'signed-in', user: ANN, ended: true });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(session.getSession().ended).toBe(true);
    otherTab(() => stored.set('token', 'new'));
    await vi.waitFor(() => expect(session.getSession().ended).toBe(false), 10_000);
  });
});

describe('the recheck of a session', () => {
  it('runs after 30 s, when the page gets the focus, and after a refusal', async () => {
    const { api, fetch, session, document, focus } = await openTab();
    fetch.mockClear();
    fetch.mockImplementation(async () => new Response(JSON.stringify({ ...ANN, admin: true })));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetch).toHaveBeenCalledOnce();
    expect(session.getSession().user?.admin).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    focus();
    focus();
    expect(fetch).toHaveBeenCalledTimes(2);
    document.hidden = true;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(fetch).toHaveBeenCalledTimes(2);
    fetch.mockImplementationOnce(async () => new Response('{}', { status: 403 }));
    await api.get('/admin/users').catch(() => undefined);
    expect(fetch).toHaveBeenCalledTimes(4);
  });
  it('does not run for every refusal', async () => {
    const { api, fetch } = await openTab();
    await vi.advanceTimersByTimeAsync(10_000);
    fetch.mockClear();
    for (let call = 0; call < 10; call++) {
      fetch.mockImplementationOnce(async () => new Response('{}', { status: 403 }));
      await api.get('/profile').catch(() => undefined);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(fetch).toHaveBeenCalledTimes(11);
  });
  it('runs once more after a refusal within 2 s of the last check', async () => {
    const { api, fetch, session } = await openTab();
    await vi.advanceTimersByTimeAsync(500);
    fetch.mockClear();
    for (let call = 0; call < 3; call++) {
      fetch.mockImplementationOnce(async () => new Response('{}', { status: 403 }));
      await api.get('/admin/users').catch(() => undefined);
    }
    expect(fetch).toHaveBeenCalledTimes(3);
    fetch.mockImplementation(async () => new Response(JSON.stringify({ ...ANN, admin: false })));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fetch).toHaveBeenCalledTimes(4);
    expect(session.getSession().user?.admin).toBe(false);
  });
});
