import type { Caller } from '@husky/runtime/caller';
import { expect, test } from 'vitest';
import { mayRead, requireLogOwner, requireReadable } from './access.ts';
import { houseUserId } from './match.ts';

const user = (id: string, admin = false): Caller => ({ kind: 'user', id, username: id, admin, verified: true });
const privateMatch = { isPublic: false, ownerId: 'owner', playerIds: ['ann', houseUserId] };

test('anybody reads a public match', () => {
  expect(mayRead({ ...privateMatch, isPublic: true }, { kind: 'anonymous' })).toBe(true);
});

test("a private match is its players', its owner's and the admins'", () => {
  for (const caller of [user('ann'), user('owner'), user('somebody', true)]) {
    expect(mayRead(privateMatch, caller)).toBe(true);
  }
  for (const caller of [user('bob'), { kind: 'anonymous' } as const]) {
    expect(() => requireReadable(privateMatch, caller)).toThrow('This game is private and cannot be accessed.');
  }
});

test('a lease or a runner reads nothing', () => {
  expect(mayRead(privateMatch, { kind: 'lease', jobId: 'job', attempt: 1, runner: 'runner-1' })).toBe(false);
  expect(mayRead(privateMatch, { kind: 'runner', name: 'runner-1' })).toBe(false);
});

test("the house bot's user never counts as a player", () => {
  expect(mayRead(privateMatch, user(houseUserId))).toBe(false);
});

test("a seat's log is for its own user and the admins alone", () => {
  expect(() => requireLogOwner('ann', user('ann'))).not.toThrow();
  expect(() => requireLogOwner('ann', user('boss', true))).not.toThrow();
  expect(() => requireLogOwner('ann', user('bob'))).toThrow("You can only read your own bot's log.");
  expect(() => requireLogOwner('ann', { kind: 'anonymous' })).toThrow('Not authenticated');
  expect(() => requireLogOwner(houseUserId, user(houseUserId))).toThrow();
});
