import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkSession, getSession, signIn, signOut } from './session.ts';
import { getToken, setToken } from './token-store.ts';

const ANN = { username: 'ann', admin: false, is_verified: true };
const answer = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));

afterEach(async () => {
  answer(200, {});
  await signOut();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the session', () => {
  it('is the user whom the token belongs to', async () => {
    answer(200, ANN);
    await signIn('t');
    expect(getSession()).toEqual({ phase: 'signed-in', user: ANN, ended: false });
  });
  it('drops a token that the server refuses at the start', async () => {
    setToken('old');
    answer(401, { detail: 'expired' });
    await checkSession();
    expect(getSession().phase).toBe('anonymous');
    expect(getToken()).toBeNull();
  });
  it('keeps user and page when the token ends in the middle, and says that it ended', async () => {
    answer(200, ANN);
    await signIn('t');
    answer(401, { detail: 'expired' });
    await checkSession();
    expect(getSession()).toEqual({ phase: 'signed-in', user: ANN, ended: true });
    expect(getToken()).toBeNull();
  });
  it('is not ended by a network or a server error', async () => {
    vi.useFakeTimers();
    setToken('t');
    answer(500, {});
    await checkSession();
    expect(getSession().phase).toBe('unreachable');
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await checkSession();
    expect(getSession().phase).toBe('unreachable');
    expect(getToken()).toBe('t');
    answer(200, ANN);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(getSession().phase).toBe('signed-in');
  });
  it('is not drawn anew by a check that finds what is known', async () => {
    answer(200, ANN);
    await signIn('t');
    const before = getSession();
    answer(200, { ...ANN });
    await checkSession();
    expect(getSession()).toBe(before);
    answer(200, { ...ANN, admin: true });
    await checkSession();
    expect(getSession().user?.admin).toBe(true);
  });
  it('belongs to the last of several checks, also when the token is replaced under way', async () => {
    answer(200, ANN);
    await signIn('old');
    vi.stubGlobal('fetch', async () => {
      setToken('renewed');
      return new Response(JSON.stringify({ ...ANN, admin: true }));
    });
    await checkSession();
    expect(getSession().user?.admin).toBe(true);
    expect(getToken()).toBe('renewed');
  });
  it('says why a token was refused', async () => {
    answer(403, { detail: 'This name belongs to a deleted account.' });
    expect(await signIn('t')).toMatchObject({ status: 403, detail: 'This name belongs to a deleted account.' });
    expect(getSession().phase).toBe('anonymous');
    expect(getToken()).toBeNull();
  });
  it('is forgotten by a logout that the server does not answer', async () => {
    answer(200, ANN);
    await signIn('t');
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await signOut();
    expect(getSession()).toEqual({ phase: 'anonymous', user: null, ended: false });
    expect(getToken()).toBeNull();
  });
});
