import { houseUserId } from '@husky/contracts/house-user';
import type { AdminCaller, Caller } from '@husky/runtime/caller';
import { expect, test } from 'vitest';
import { access, maySeeAddress, stillAdmin } from './access.ts';

const ann = { kind: 'user', id: 'ann', username: 'ann', admin: false, verified: true } as const;
const ada: AdminCaller = { ...ann, id: 'ada', username: 'ada', admin: true };

test('an e-mail address is for its owner and the admins', () => {
  const seenBy: [Caller, boolean][] = [
    [ann, true],
    [ada, true],
    [{ ...ann, id: 'bob' }, false],
    [{ kind: 'anonymous' }, false],
    [{ kind: 'service', name: 'simulation' }, false],
  ];
  for (const [caller, seen] of seenBy) expect(maySeeAddress(caller, 'ann')).toBe(seen);
});

test('verified users and admins look people up, by status admins alone', () => {
  expect(access.listUsers(ann, { status: '' })).toMatchObject({ id: 'ann' });
  expect(access.listUsers({ ...ada, verified: false }, { status: 'unverified' })).toMatchObject({ id: 'ada' });
  expect(() => access.listUsers(ann, { status: 'admin' })).toThrow('Admin privileges are required');
  for (const status of ['', 'admin']) {
    expect(() => access.listUsers({ ...ann, verified: false }, { status })).toThrow('Please verify your account first');
    expect(() => access.listUsers({ kind: 'anonymous' }, { status })).toThrow('Not authenticated');
  }
});

test("a session ends by its own user's token only", () => {
  for (const call of [access.logout, access.endOtherSessions]) {
    expect(() => call.check(ann, { userId: 'ann' })).not.toThrow();
    expect(() => call.check(ann, { userId: 'bob' })).toThrow('Invalid or expired token');
  }
});

test('an admin changes every account but their own and the house', () => {
  for (const call of [access.toggleAdmin, access.toggleVerified, access.deleteUser]) {
    expect(() => call.check(ada, 'ann', 'Not your own')).not.toThrow();
    expect(() => call.check(ada, 'ada', 'Not your own')).toThrow('Not your own');
    expect(() => call.check(ada, houseUserId, 'Not your own')).toThrow('The house account cannot be changed');
  }
});

test('who is no admin any more changes nothing', () => {
  expect(() => stillAdmin(ada, { admin: true })).not.toThrow();
  for (const account of [{ admin: false }, null]) {
    expect(() => stillAdmin(ada, account)).toThrow('Admin privileges are required');
  }
});
