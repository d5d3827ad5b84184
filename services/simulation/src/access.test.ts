import type { Caller } from '@husky/runtime/rpc/caller';
import { expect, test, vi } from 'vitest';
import { access } from './access.ts';

const user = (id: string, admin = false): Caller => ({ kind: 'user', id, username: id, admin, verified: true });
const job = { ownerId: 'owner', playerIds: ['ann', 'bob'] };

test('lets the owner, players, admins and our services read a job, even of a private match', async () => {
  const isPublic = vi.fn(async () => false);
  for (const caller of [user('owner'), user('bob'), user('ada', true), { kind: 'service', name: 'pool' } as const]) {
    await expect(access.getJob.check(caller, job, isPublic)).resolves.toBeUndefined();
  }
  expect(isPublic).not.toHaveBeenCalled();
});

test('lets everybody read a job when its match is public', async () => {
  for (const caller of [user('cem'), { kind: 'anonymous' } as const]) {
    await expect(access.getSeed.check(caller, job, async () => true)).resolves.toBeUndefined();
    await expect(access.getSeed.check(caller, job, async () => false)).rejects.toThrow(
      'This job is private and cannot be accessed.',
    );
  }
});

test("lets only admins and our services read a private batch's metadata", async () => {
  const hidden = async () => false;
  await expect(access.getBatchMetadata.check(user('ada', true), hidden)).resolves.toBeUndefined();
  await expect(access.getBatchMetadata.check(user('owner'), hidden)).rejects.toThrow('This batch is private');
  await expect(access.getBatchMetadata.check({ kind: 'anonymous' }, async () => true)).resolves.toBeUndefined();
});

test('lets users list the jobs that they started or play in, and admins all jobs', () => {
  for (const [ownerId, playerId] of [
    ['ann', ''],
    ['', 'ann'],
    ['ann', 'ann'],
  ] as const) {
    expect(access.listJobs(user('ann'), { ownerId, playerId })).toMatchObject({ id: 'ann' });
  }
  expect(access.listJobs(user('ada', true), { ownerId: '', playerId: '' })).toMatchObject({ id: 'ada' });
  for (const [ownerId, playerId] of [
    ['bob', ''],
    ['', ''],
    ['', 'bob'],
    ['ann', 'bob'],
  ] as const) {
    expect(() => access.listJobs(user('ann'), { ownerId, playerId })).toThrow('Admin privileges are required');
  }
  expect(() => access.listJobs({ kind: 'anonymous' }, { ownerId: '', playerId: '' })).toThrow('Not authenticated');
});
