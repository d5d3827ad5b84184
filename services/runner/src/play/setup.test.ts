import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { expect, it } from 'vitest';
import { defaultLimits, setupOf } from './setup.ts';

const assignment: Assignment__Output = {
  jobId: 'job',
  attempt: 2,
  leaseToken: '',
  leaseSeconds: 30,
  seats: [],
  numRounds: 100,
  blinds: { bigBlind: 10, multiplier: '1.5', interval: 20 },
  startingStack: 1000,
  rulesVersion: 1,
  seed: Buffer.alloc(32, 7),
  profile: 'classic',
  limits: null,
  stacks: 'reset',
  traceparent: '',
  nowMs: 0,
};
const seats = [{ botDir: 'bots/0', packagesDir: null }, { unfetchable: 'too large' }];

it('takes the inputs of a match from its assignment, named by job and attempt', () => {
  expect(setupOf(assignment, seats)).toEqual({
    name: 'job:2',
    rulesVersion: 1,
    seed: assignment.seed,
    numRounds: 100,
    startingStack: 1000,
    stacks: 'reset',
    blinds: { bigBlind: 10, multiplier: '1.5', interval: 20 },
    profile: 'classic',
    limits: defaultLimits,
    seats,
  });
  expect(setupOf({ ...assignment, profile: 'documented' }, seats).profile).toBe('documented');
});

it('takes the default for each limit that is missing or 0', () => {
  const none = { decisionMs: 0, bankMs: 0, freeMs: 0, faultsToDisable: 0, startupMs: 0, memoryMib: 0, logBytes: 0 };
  const given = { decisionMs: 1, bankMs: 2, freeMs: 3, faultsToDisable: 4, startupMs: 5, memoryMib: 6, logBytes: 7 };
  expect(setupOf({ ...assignment, limits: none }, seats).limits).toEqual(defaultLimits);
  expect(setupOf({ ...assignment, limits: given }, seats).limits).toEqual(given);
});

it('refuses an assignment without blinds or with an unknown profile', () => {
  expect(() => setupOf({ ...assignment, blinds: null }, seats)).toThrow('the assignment has no blinds');
  expect(() => setupOf({ ...assignment, profile: 'modern' }, seats)).toThrow('there is no profile modern');
});
