import { describe, expect, it } from 'vitest';
import type { User } from '../lib/types.ts';
import { decideAccess } from './access.ts';

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
