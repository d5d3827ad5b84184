import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearRefreshToken, readClaims, storedTokensFor, storeRefreshToken } from './tokens.ts';

const tokenOf = (claims: object) =>
  `h.${btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims))))}.s`;
const KEY = 'husky.keycloak';
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the refresh token of a tab', () => {
  it('is returned for every access token of its session and for no other', () => {
    storeRefreshToken({ token: tokenOf({ sid: 'a', jti: 1 }), refreshToken: 'r', idToken: 'i' });
    const next = tokenOf({ sid: 'a', jti: 2 });
    expect(storedTokensFor(next)).toEqual({ token: next, refreshToken: 'r', idToken: 'i' });
    expect(storedTokensFor(tokenOf({ sid: 'b' }))).toBeNull();
    expect(storedTokensFor(tokenOf({}))).toBeNull();
    expect(storedTokensFor('not a token')).toBeNull();
  });
  it('is deleted', () => {
    const token = tokenOf({ sid: 'a' });
    storeRefreshToken({ token, refreshToken: 'r', idToken: undefined });
    clearRefreshToken();
    expect(storedTokensFor(token)).toBeNull();
  });
  it('is null if storage is corrupt or blocked', () => {
    const token = tokenOf({ sid: 'a' });
    for (const corrupt of ['', '{', 'null', '[]', '7', '{"sid":"a"}', '{"refreshToken":"r"}']) {
      stored.set(KEY, corrupt);
      expect(storedTokensFor(token)).toBeNull();
    }
    vi.unstubAllGlobals();
    storeRefreshToken({ token, refreshToken: 'r', idToken: undefined });
    clearRefreshToken();
    expect(storedTokensFor(token)).toBeNull();
  });
});

describe('the claims of a token', () => {
  it('are decoded as UTF-8', () => {
    expect(readClaims(tokenOf({ sub: 'ž–א', exp: 7 }))).toEqual({ sub: 'ž–א', exp: 7 });
  });
  it('are empty if the text is not a token', () => {
    for (const text of [null, '', 'a', 'a.b', 'a.!.c', `a.${btoa('7')}.c`, `a.${btoa('null')}.c`, 'a.e30.c']) {
      expect(readClaims(text)).toEqual({});
    }
  });
});
