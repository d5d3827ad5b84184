import { houseUserId } from '@husky/contracts/house-user';
import type { AdminCaller, Caller } from '@husky/runtime/rpc/caller';
import { expect, test } from 'vitest';
import { access, maySeeAddress, requireStillAdmin } from './access.ts';

const ann = { kind: 'user', id: 'ann', username: 'ann', admin: false, verified: true } as const;
const ada: AdminCaller = { ...ann, id: 'ada', username: 'ada', admin: true };

test('shows an e-mail address to its owner and to admins only', () => {
  const seenBy: [Caller, boolean][] = [
    [ann, true],
    [ada, true],
    [{ ...ann, id: 'bob' }, false],
    [{ kind: 'anonymous' }, false],
    [{ kind: 'service', name: 'simulation' }, false],
  ];
  for (const [caller, seen] of seenBy) expect(maySeeAddress(caller, 'ann')).toBe(seen);
});

test('lets verified users and admins list users, and only admins filter them by status', () => {
  expect(access.listUsers(ann, { status: '' })).toMatchObject({ id: 'ann' });
  expect(access.listUsers({ ...ada, verified: false }, { status: 'unverified' })).toMatchObject({ id: 'ada' });
  expect(() => access.listUsers(ann, { status: 'admin' })).toThrow('Admin privileges are required');
  for (const status of ['', 'admin']) {
    expect(() => access.listUsers({ ...ann, verified: false }, { status })).toThrow('Please verify your account first');
    expect(() => access.listUsers({ kind: 'anonymous' }, { status })).toThrow('Not authenticated');
  }
});

test("ends a session only by its own user's token", () => {
  for (const call of [access.logout, access.endOtherSessions]) {
    expect(() => call.check(ann, { userId: 'ann' })).not.toThrow();
    expect(() => call.check(ann, { userId: 'bob' })).toThrow('Invalid or expired token');
  }
});

test('lets admins change every account except their own and the house account', () => {
  for (const call of [access.toggleAdmin, access.toggleVerified, access.deleteUser]) {
    expect(() => call.check(ada, 'ann', 'Not your own')).not.toThrow();
    expect(() => call.check(ada, 'ada', 'Not your own')).toThrow('Not your own');
    expect(() => call.check(ada, houseUserId, 'Not your own')).toThrow('The house account cannot be changed');
  }
});

test('refuses a caller who is no longer an admin', () => {
  expect(() => requireStillAdmin(ada, { admin: true })).not.toThrow();
  for (const account of [{ admin: false }, null]) {
    expect(() => requireStillAdmin(ada, account)).toThrow('Admin privileges are required');
  }
});
