import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../lib/types.ts';
import { decideAccess } from './access.ts';
import { isOwnPath, parseReturnPath } from './return-path.ts';
import { clearRefreshToken, readClaims, storedTokensFor, storeRefreshToken } from './tokens.ts';

describe('return path', () => {
  const storedPath = (path: unknown, savedAt: unknown = 1_000) => JSON.stringify({ path, savedAt });

  describe('the path to return to after the login', () => {
    it('is returned with its query and hash', () => {
      expect(parseReturnPath(storedPath('/games/7?gameNumber=3#game-1'), 2_000)).toBe('/games/7?gameNumber=3#game-1');
    });
    it('expires after an hour', () => {
      expect(parseReturnPath(storedPath('/dashboard'), 1_000 + 3_600_000)).toBeNull();
      expect(parseReturnPath(storedPath('/dashboard'), 999)).toBeNull();
    });
    it('is null for another origin', () => {
      for (const path of [
        '//evil.example',
        'https://evil.example',
        '/\\evil.example',
        'javascript:alert(1)',
        '',
        7,
        null,
      ]) {
        expect(isOwnPath(path)).toBe(false);
        expect(parseReturnPath(storedPath(path), 2_000)).toBeNull();
      }
    });
    it('is null if storage is corrupt', () => {
      for (const stored of [null, '', '{', 'null', '[]', storedPath('/a', 'x')])
        expect(parseReturnPath(stored, 2_000)).toBeNull();
    });
  });
});

describe('access', () => {
  const person = (more: Partial<User> = {}) =>
    ({ username: 'ann', email: 'ann@example.org', admin: false, is_verified: true, ...more }) as User;
  const anonymous = { phase: 'anonymous', user: null } as const;
  const signedIn = (more?: Partial<User>) => ({ phase: 'signed-in', user: person(more) }) as const;

  describe('the guards of the route table', () => {
    it('shows Loading everywhere while the sign-in check runs', () => {
      for (const requirement of ['signed-out', 'unverified', 'verified', 'admin'] as const) {
        expect(decideAccess(requirement, { phase: 'checking', user: null })).toEqual({ kind: 'loading' });
      }
    });
    it('redirects signed-out users to /login', () => {
      for (const requirement of ['unverified', 'verified', 'admin'] as const) {
        expect(decideAccess(requirement, anonymous)).toEqual({ kind: 'redirect', to: '/login' });
      }
    });
    it('shows /login and /register to signed-out users', () => {
      expect(decideAccess('signed-out', anonymous)).toEqual({ kind: 'show' });
    });
    it('redirects signed-in users away from /login and /register', () => {
      expect(decideAccess('signed-out', signedIn())).toEqual({ kind: 'return' });
      expect(decideAccess('signed-out', signedIn({ is_verified: false }))).toEqual({ kind: 'return' });
    });
    it('redirects unverified users, including admins, to /verify-account', () => {
      expect(decideAccess('verified', signedIn({ is_verified: false }))).toEqual({
        kind: 'redirect',
        to: '/verify-account',
      });
      expect(decideAccess('admin', signedIn({ is_verified: false, admin: true }))).toEqual({
        kind: 'redirect',
        to: '/verify-account',
      });
      expect(decideAccess('unverified', signedIn({ is_verified: false }))).toEqual({ kind: 'show' });
    });
    it('shows the account to every signed-in user', () => {
      expect(decideAccess('signed-in', signedIn({ is_verified: false }))).toEqual({ kind: 'show' });
      expect(decideAccess('signed-in', anonymous)).toEqual({ kind: 'redirect', to: '/login' });
    });
    it('redirects verified users away from /verify-account', () => {
      expect(decideAccess('unverified', signedIn())).toEqual({ kind: 'return' });
    });
    it('denies admin pages to users who are not admins', () => {
      expect(decideAccess('admin', signedIn())).toEqual({ kind: 'denied' });
      expect(decideAccess('admin', signedIn({ admin: true }))).toEqual({ kind: 'show' });
    });
    it('keeps users signed in while the server is unreachable', () => {
      const unreachable = { phase: 'unreachable', user: null } as const;
      expect(decideAccess('verified', unreachable)).toEqual({ kind: 'unreachable' });
      expect(decideAccess('signed-out', unreachable)).toEqual({ kind: 'show' });
    });
  });
});

describe('refresh token', () => {
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
});
