import type { PoolServiceDefinition } from '@husky/contracts/types/pool/v1/PoolService';
import { expect, test } from 'vitest';
import {
  type AccessTable,
  admin,
  adminOr,
  anyone,
  lease,
  member,
  only,
  ownerOrAdmin,
  type Rule,
  runner,
  signedIn,
  verified,
} from '../src/access.ts';
import type { Caller } from '../src/caller.ts';

const user = (id: string, role: { admin?: boolean; verified?: boolean } = {}): Caller => ({
  ...({ kind: 'user', id, username: id, admin: false, verified: false } as const),
  ...role,
});
const callers: Readonly<Record<string, Caller>> = {
  nobody: { kind: 'anonymous' },
  unverified: user('una'),
  verified: user('vera', { verified: true }),
  admin: user('ada', { admin: true, verified: true }),
  unverifiedAdmin: user('abe', { admin: true }),
  simulation: { kind: 'service', name: 'simulation' },
  pool: { kind: 'service', name: 'pool' },
  runner: { kind: 'runner', name: 'runner-1' },
  lease: { kind: 'lease', jobId: 'job', attempt: 1, runner: 'runner-1' },
};

function letIn(rule: Rule): string[] {
  return Object.keys(callers).filter((name) => {
    try {
      rule(callers[name] as Caller, {});
      return true;
    } catch {
      return false;
    }
  });
}

test('each rule lets in those it names and nobody else', () => {
  const admins = ['admin', 'unverifiedAdmin'];
  expect(letIn(anyone)).toEqual(Object.keys(callers));
  expect(letIn(signedIn)).toEqual(['unverified', 'verified', ...admins]);
  expect(letIn(verified)).toEqual(['verified', 'admin']);
  expect(letIn(admin)).toEqual(admins);
  expect(letIn(member)).toEqual(['verified', ...admins]);
  expect(letIn(only('simulation'))).toEqual(['simulation']);
  expect(letIn(only('simulation', 'pool'))).toEqual(['simulation', 'pool']);
  expect(letIn(adminOr(only('simulation')))).toEqual([...admins, 'simulation']);
  expect(letIn(runner)).toEqual(['runner']);
  expect(letIn(lease)).toEqual(['lease']);
});

test('a refusal says what is missing, the sign-in first', () => {
  expect(() => admin({ kind: 'anonymous' })).toThrow('Not authenticated');
  expect(() => admin({ kind: 'service', name: 'simulation' })).toThrow('Not authenticated');
  expect(() => admin(user('vera', { verified: true }))).toThrow('Admin privileges are required');
  expect(() => verified({ kind: 'anonymous' })).toThrow('Not authenticated');
  expect(() => verified(user('una'))).toThrow('Please verify your account first');
});

test('what is theirs is for its verified owner and the admins', () => {
  const mayUse = ownerOrAdmin('job');
  expect(mayUse(user('vera', { verified: true }), 'vera')).toMatchObject({ id: 'vera' });
  expect(mayUse(user('ada', { admin: true }), 'vera')).toMatchObject({ id: 'ada' });
  expect(() => mayUse(user('vera'), 'vera')).toThrow('Please verify your account first');
  expect(() => mayUse(user('ben', { verified: true }), 'vera')).toThrow('This job belongs to another user.');
  expect(() => mayUse({ kind: 'service', name: 'pool' }, 'vera')).toThrow('Not authenticated');
});

test('a table that leaves a call out, or knows one that is none, does not compile', () => {
  const whole = {
    ...{ getStatus: admin, scale: admin, listScalingJobs: admin, getRunnerLog: admin },
    ...{ getAutoscaling: admin, setAutoscaling: admin },
  } satisfies AccessTable<PoolServiceDefinition>;
  const { scale: _left, ...without } = whole;
  // @ts-expect-error scale has no rule
  const missing: AccessTable<PoolServiceDefinition> = without;
  // @ts-expect-error the service has no call of this name
  const unknown = { ...whole, scaleAll: anyone } satisfies AccessTable<PoolServiceDefinition>;
  // @ts-expect-error a rule asks for what the request does not have
  const foreign: AccessTable<PoolServiceDefinition> = { ...whole, scale: (caller, { userId }) => userId && caller };
  expect([missing, unknown, foreign]).toHaveLength(3);
});
