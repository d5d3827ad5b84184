import type { Caller, LeaseCaller, UserCaller } from '@husky/runtime/rpc/caller';
import { expect, test } from 'vitest';
import { access } from './access.ts';

const user = (id: string, admin = false): UserCaller => ({ kind: 'user', id, username: id, admin, verified: true });
const dealer: LeaseCaller = { kind: 'lease', jobId: 'job', attempt: 1, runner: 'runner-1', reads: ['bot', 'packages'] };
const foreign = 'This submission belongs to another user.';

test('lets only the author and admins read a submission and its files', () => {
  for (const call of [access.getSubmission, access.getFile, access.signFileLink, access.deleteSubmission]) {
    expect(() => call.check(user('ann'), 'ann')).not.toThrow();
    expect(() => call.check(user('ada', true), 'ann')).not.toThrow();
    expect(() => call.check(user('bob'), 'ann')).toThrow(foreign);
  }
  expect(() => access.getFinalSubmission(user('bob'), { userId: 'ann' })).toThrow(foreign);
  expect(() => access.getFinalSubmission({ kind: 'anonymous' }, { userId: 'ann' })).toThrow('Not authenticated');
});

test('lets only the author mark the final submission, not an admin', () => {
  for (const call of [access.markFinal, access.unmarkFinal]) {
    expect(() => call.check(user('ann'), 'ann')).not.toThrow();
    expect(() => call.check(user('ada', true), 'ann')).toThrow(foreign);
  }
});

test('lets a dealer fetch only the files of its match', () => {
  expect(access.fetchBot(dealer, { botHash: 'bot' })).toBe(dealer);
  expect(access.fetchPackages(dealer, { packagesHash: 'packages' })).toBe(dealer);
  expect(() => access.fetchBot(dealer, { botHash: 'other' })).toThrow('a match that does not use this');
  expect(() => access.fetchPackages({ ...dealer, reads: [] }, { packagesHash: 'packages' })).toThrow('does not use');
  const others: Caller[] = [user('ada', true), { kind: 'service', name: 'simulation' }, { kind: 'anonymous' }];
  for (const caller of others) {
    expect(() => access.fetchBot(caller, { botHash: 'bot' })).toThrow('This call needs the lease of a match');
  }
});
