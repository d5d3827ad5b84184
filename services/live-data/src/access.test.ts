import { houseUserId } from '@husky/contracts/house-user';
import type { Caller, LeaseCaller } from '@husky/runtime/rpc/caller';
import { expect, test } from 'vitest';
import { access, mayRead } from './access.ts';
import type { Match } from './domain/match.ts';

const user = (id: string, admin = false): Caller => ({ kind: 'user', id, username: id, admin, verified: true });
const nobody: Caller = { kind: 'anonymous' };
const dealer: LeaseCaller = { kind: 'lease', jobId: 'job', attempt: 2, runner: 'runner-1' };
const privateMatch = {
  isPublic: false,
  ownerId: 'owner',
  playerIds: ['ann', houseUserId],
  handsRemovedAt: null,
  ladder: false,
  sealed: false,
};

test('lets everybody read a public match', () => {
  expect(mayRead(nobody, { ...privateMatch, isPublic: true })).toBe(true);
});

test('lets only players, owner and admins read a private match', () => {
  for (const caller of [user('ann'), user('owner'), user('somebody', true)]) {
    expect(mayRead(caller, privateMatch)).toBe(true);
  }
  for (const caller of [user('bob'), nobody]) {
    for (const call of [access.listHands, access.getHand, access.getPerformance, access.streamMatch]) {
      expect(() => call.check(caller, privateMatch)).toThrow('This game is private and cannot be accessed.');
    }
  }
});

test('lets players read a match of the ladder, but only owner and admins one of a trial', () => {
  expect(mayRead(user('ann'), { ...privateMatch, ladder: true, ownerId: houseUserId })).toBe(true);
  for (const ownerId of ['owner', null]) {
    const trial = { ...privateMatch, ladder: true, ownerId };
    const may = [user('ann'), user('owner'), user('somebody', true)].map((caller) => mayRead(caller, trial));
    expect(may).toEqual([false, ownerId === 'owner', true]);
  }
});

test('lets only admins read a sealed match, its logs too, until it is public', () => {
  const sealed = { ...privateMatch, ownerId: houseUserId, sealed: true };
  expect([user('ann'), user('somebody', true)].map((caller) => mayRead(caller, sealed))).toEqual([false, true]);
  expect(() => access.getSeatLog.check(user('ann'), sealed)).toThrow('This game is private');
  expect(mayRead(nobody, { ...sealed, isPublic: true })).toBe(true);
});

test('lets neither a lease nor a runner read a match', () => {
  expect(mayRead(dealer, privateMatch)).toBe(false);
  expect(mayRead({ kind: 'runner', name: 'runner-1' }, privateMatch)).toBe(false);
});

test("does not count the house bot's user as a player", () => {
  expect(mayRead(user(houseUserId), privateMatch)).toBe(false);
});

test("lets only its user and admins read a seat's log", () => {
  const read = (caller: Caller, userId: string) => () => access.getSeatLog.who(caller, { userId });
  expect(read(user('ann'), 'ann')).not.toThrow();
  expect(read(user('boss', true), 'ann')).not.toThrow();
  expect(read(user('bob'), 'ann')).toThrow("You can only read your own bot's log.");
  expect(read(dealer, 'ann')).toThrow("You can only read your own bot's log.");
  expect(read(nobody, 'ann')).toThrow('Not authenticated');
  expect(read(user(houseUserId), houseUserId)).toThrow();
});

test('lists public matches for everybody and all matches for admins', () => {
  expect(access.listMatches(nobody, { publicOnly: true })).toBe(nobody);
  expect(() => access.listMatches(nobody, { publicOnly: false })).toThrow('Not authenticated');
  expect(() => access.listMatches(user('ann'), { publicOnly: false })).toThrow('Admin privileges are required');
  expect(() => access.listMatches(user('boss', true), { publicOnly: false })).not.toThrow();
});

test('accepts deliveries only from the dealer of the newest attempt', () => {
  const match = { acceptedAttempt: null, currentAttempt: 2 } as Match;
  expect(() => access.deliverChunk.check(dealer, match)).not.toThrow();
  for (const facts of [
    { ...match, currentAttempt: 3 },
    { ...match, acceptedAttempt: 1 },
  ]) {
    expect(() => access.deliverChunk.check(dealer, facts)).toThrow('no longer the current one');
  }
});
