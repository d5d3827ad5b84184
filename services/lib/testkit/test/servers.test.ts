import { randomUUID } from 'node:crypto';
import { jobEnded } from '@husky/contracts/events';
import { simulationService } from '@husky/contracts/services';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { expect, test } from 'vitest';
import { testClient, testIdentities, testNats } from '../src/servers.ts';
import { startDouble } from '../src/service-double.ts';

const log = createLogger('test', 'warn');

test('an event published by its owner reaches a durable consumer of another service', async () => {
  const owner = await connectNats(await testNats('simulation'), log, 'simulation');
  const other = await connectNats(await testNats('listener'), log);
  const received = Promise.withResolvers<string>();
  other.consume(jobEnded, 'listener_job_ended', async ({ jobId }) => {
    if (jobId === 'job-1') received.resolve(jobId);
  });
  await owner.publish(jobEnded.subject, jobEnded.encode({ jobId: 'job-1' }), randomUUID(), '');
  expect(await received.promise).toBe('job-1');
  await Promise.all([owner.close(), other.close()]);
});

test('NATS refuses an event that its publisher has not declared', async () => {
  const owner = await connectNats(await testNats('pool'), log, 'pool');
  await expect(owner.publish('husky.pool.undeclared', new Uint8Array(), 'undeclared', '')).rejects.toThrow();
  await owner.close();
});

test('NATS refuses an event of another service', async () => {
  const other = await connectNats(await testNats('leaderboard'), log);
  await expect(other.publish('husky.auth.user_changed', new Uint8Array(), 'forged', '')).rejects.toThrow();
  await other.close();
});

test('a gRPC server reads the caller, refuses tokens for another audience and hides internal errors', async () => {
  const identities = testIdentities();
  const { port, stop } = await startDouble(simulationService, anyone, {
    async countJobs(_request, { caller }) {
      if (caller.kind !== 'user') throw new DomainError('PERMISSION_DENIED', 'no', 'No');
      return { jobCount: caller.username.length };
    },
    async getJob() {
      throw new Error('secret detail');
    },
  });
  const client = testClient(simulationService, port);
  const user = { kind: 'user', id: 'u1', username: 'ada', admin: false, verified: true } as const;
  expect(await client.countJobs({}, { caller: user })).toEqual({ jobCount: 3 });
  await expect(client.countJobs({}, { caller: { kind: 'anonymous' } })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await expect(client.getJob({}, { caller: user })).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'Internal server error',
  });
  const foreign = await identities.signerOf('gateway').sign('auth', user);
  await expect(client.countJobs({}, { token: foreign })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(testClient(simulationService, port, 'pool').countJobs({}, { caller: user })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    reason: 'identity-refused',
  });
  client.close();
  await stop();
});
