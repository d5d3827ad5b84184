import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetKeptTokens, keepTokens, keptTokensFor } from './kept-tokens.ts';
import { readClaims } from './token-claims.ts';

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
  it('is given back for every access token of its session, and for no other', () => {
    keepTokens({ token: tokenOf({ sid: 'a', jti: 1 }), refreshToken: 'r', idToken: 'i' });
    const next = tokenOf({ sid: 'a', jti: 2 });
    expect(keptTokensFor(next)).toEqual({ token: next, refreshToken: 'r', idToken: 'i' });
    expect(keptTokensFor(tokenOf({ sid: 'b' }))).toBeNull();
    expect(keptTokensFor(tokenOf({}))).toBeNull();
    expect(keptTokensFor('not a token')).toBeNull();
  });
  it('is gone when it was forgotten', () => {
    const token = tokenOf({ sid: 'a' });
    keepTokens({ token, refreshToken: 'r', idToken: undefined });
    forgetKeptTokens();
    expect(keptTokensFor(token)).toBeNull();
  });
  it('is none where storage is spoilt or blocked', () => {
    const token = tokenOf({ sid: 'a' });
    for (const spoilt of ['', '{', 'null', '[]', '7', '{"sid":"a"}', '{"refreshToken":"r"}']) {
      stored.set(KEY, spoilt);
      expect(keptTokensFor(token)).toBeNull();
    }
    vi.unstubAllGlobals();
    keepTokens({ token, refreshToken: 'r', idToken: undefined });
    forgetKeptTokens();
    expect(keptTokensFor(token)).toBeNull();
  });
});

describe('the claims of a token', () => {
  it('are read with letters of every alphabet', () => {
    expect(readClaims(tokenOf({ sub: 'ž–א', exp: 7 }))).toEqual({ sub: 'ž–א', exp: 7 });
  });
  it('are empty where the text is no token', () => {
    for (const text of [null, '', 'a', 'a.b', 'a.!.c', `a.${btoa('7')}.c`, `a.${btoa('null')}.c`, 'a.e30.c']) {
      expect(readClaims(text)).toEqual({});
    }
  });
});
