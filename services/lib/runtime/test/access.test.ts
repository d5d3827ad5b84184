import { authService, liveDataService, simulationService } from '@husky/contracts/services';
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
} from '../src/rpc/access.ts';
import type { Caller } from '../src/rpc/caller.ts';
import { isRead } from '../src/rpc/method-options.ts';

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

function admitted(rule: Rule): string[] {
  return Object.keys(callers).filter((name) => {
    try {
      rule(callers[name] as Caller, {});
      return true;
    } catch {
      return false;
    }
  });
}

test('each rule admits exactly the callers that it names', () => {
  const admins = ['admin', 'unverifiedAdmin'];
  expect(admitted(anyone)).toEqual(Object.keys(callers));
  expect(admitted(signedIn)).toEqual(['unverified', 'verified', ...admins]);
  expect(admitted(verified)).toEqual(['verified', 'admin']);
  expect(admitted(admin)).toEqual(admins);
  expect(admitted(member)).toEqual(['verified', ...admins]);
  expect(admitted(only('simulation'))).toEqual(['simulation']);
  expect(admitted(only('simulation', 'pool'))).toEqual(['simulation', 'pool']);
  expect(admitted(adminOr(only('simulation')))).toEqual([...admins, 'simulation']);
  expect(admitted(runner)).toEqual(['runner']);
  expect(admitted(lease)).toEqual(['lease']);
});

test('a refusal names a missing sign-in first, then missing verification or role', () => {
  expect(() => admin({ kind: 'anonymous' })).toThrow('Not authenticated');
  expect(() => admin({ kind: 'service', name: 'simulation' })).toThrow('Not authenticated');
  expect(() => admin(user('vera', { verified: true }))).toThrow('Admin privileges are required');
  expect(() => verified({ kind: 'anonymous' })).toThrow('Not authenticated');
  expect(() => verified(user('una'))).toThrow('Please verify your account first');
});

test('ownerOrAdmin admits the verified owner of a resource and admins', () => {
  const mayUse = ownerOrAdmin('job');
  expect(mayUse(user('vera', { verified: true }), 'vera')).toMatchObject({ id: 'vera' });
  expect(mayUse(user('ada', { admin: true }), 'vera')).toMatchObject({ id: 'ada' });
  expect(() => mayUse(user('vera'), 'vera')).toThrow('Please verify your account first');
  expect(() => mayUse(user('ben', { verified: true }), 'vera')).toThrow('This job belongs to another user.');
  expect(() => mayUse({ kind: 'service', name: 'pool' }, 'vera')).toThrow('Not authenticated');
});

test('an access table with a missing or superfluous RPC does not compile', () => {
  const whole = {
    getStatus: admin,
    scale: admin,
    listScalingJobs: admin,
    getRunnerLog: admin,
    getAutoscaling: admin,
    setAutoscaling: admin,
  } satisfies AccessTable<PoolServiceDefinition>;
  const { scale: _removed, ...without } = whole;
  // @ts-expect-error scale has no rule
  const missing: AccessTable<PoolServiceDefinition> = without;
  // @ts-expect-error the service has no call of this name
  const unknown = { ...whole, scaleAll: anyone } satisfies AccessTable<PoolServiceDefinition>;
  // @ts-expect-error the rule reads a field that the request does not have
  const foreign: AccessTable<PoolServiceDefinition> = { ...whole, scale: (caller, { userId }) => userId && caller };
  expect([missing, unknown, foreign]).toHaveLength(3);
});

test('methods without side effects, and streams, can be cancelled', () => {
  const readsOf = ({ client }: { client: { service: object } }) =>
    (Object.entries(client.service) as [string, Parameters<typeof isRead>[0]][])
      .filter(([, method]) => isRead(method))
      .map(([name]) => name);
  const ofAuth = readsOf(authService);
  expect(ofAuth).toEqual(expect.arrayContaining(['GetUser', 'ListAudit', 'ResolveNames']));
  // Creates the keys that it returns, if they do not exist.
  expect(ofAuth).not.toContain('GetKeys');
  const ofSimulation = readsOf(simulationService);
  expect(ofSimulation).toContain('FindBatch');
  expect(ofSimulation).not.toContain('Heartbeat');
  const ofLiveData = readsOf(liveDataService);
  expect(ofLiveData).toEqual(expect.arrayContaining(['SearchHands', 'StreamMatch', 'DownloadExport']));
  expect(ofLiveData).not.toContain('ToggleVisibility');
  // Ends an export whose matches are no longer readable.
  expect(ofLiveData).not.toContain('GetExport');
});
