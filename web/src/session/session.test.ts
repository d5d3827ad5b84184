import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkSession, getSession, signIn, signOut } from './session.ts';
import { getToken, setToken } from './tokens.ts';

const ANN = { username: 'ann', admin: false, is_verified: true };
const respond = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));

afterEach(async () => {
  respond(200, {});
  await signOut();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the session', () => {
  it('has the user of the token', async () => {
    respond(200, ANN);
    await signIn('t');
    expect(getSession()).toEqual({ phase: 'signed-in', user: ANN, ended: false });
  });
  it('removes a token that the server refuses at the start', async () => {
    setToken('old');
    respond(401, { detail: 'expired' });
    await checkSession();
    expect(getSession().phase).toBe('anonymous');
    expect(getToken()).toBeNull();
  });
  it('keeps the user when the token expires, and is marked as ended', async () => {
    respond(200, ANN);
    await signIn('t');
    respond(401, { detail: 'expired' });
    await checkSession();
    expect(getSession()).toEqual({ phase: 'signed-in', user: ANN, ended: true });
    expect(getToken()).toBeNull();
  });
  it('is not ended by a network or a server error', async () => {
    vi.useFakeTimers();
    setToken('t');
    respond(500, {});
    await checkSession();
    expect(getSession().phase).toBe('unreachable');
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await checkSession();
    expect(getSession().phase).toBe('unreachable');
    expect(getToken()).toBe('t');
    respond(200, ANN);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(getSession().phase).toBe('signed-in');
  });
  it('stays the same object after a check without changes', async () => {
    respond(200, ANN);
    await signIn('t');
    const before = getSession();
    respond(200, { ...ANN });
    await checkSession();
    expect(getSession()).toBe(before);
    respond(200, { ...ANN, admin: true });
    await checkSession();
    expect(getSession().user?.admin).toBe(true);
  });
  it('uses the result of the last of several checks, even if the token is replaced meanwhile', async () => {
    respond(200, ANN);
    await signIn('old');
    vi.stubGlobal('fetch', async () => {
      setToken('renewed');
      return new Response(JSON.stringify({ ...ANN, admin: true }));
    });
    await checkSession();
    expect(getSession().user?.admin).toBe(true);
    expect(getToken()).toBe('renewed');
  });
  it('returns why a token was refused', async () => {
    respond(403, { detail: 'This name belongs to a deleted account.' });
    expect(await signIn('t')).toMatchObject({ status: 403, detail: 'This name belongs to a deleted account.' });
    expect(getSession().phase).toBe('anonymous');
    expect(getToken()).toBeNull();
  });
  it('ends at a logout even if the server does not respond, and logs that', async () => {
    const log = vi.spyOn(console, 'warn').mockReturnValue();
    respond(200, ANN);
    await signIn('t');
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await signOut();
    expect(getSession()).toEqual({ phase: 'anonymous', user: null, ended: false });
    expect(getToken()).toBeNull();
    expect(log.mock.calls.flat()).toContain('Logout failed: Network error');
    log.mockRestore();
  });
});
