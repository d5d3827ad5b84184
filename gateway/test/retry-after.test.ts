// Retry-After of refusals, over a real gateway and doubles of the services.
import { authService, liveDataService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';
import { startEdge } from './edge.ts';

async function start(refusal?: DomainError) {
  const fail = async () => {
    throw refusal;
  };
  const auth = refusal && (await startDouble(authService, anyone, { getKeys: fail, login: fail }));
  const liveData = refusal && (await startDouble(liveDataService, anyone, { listMatches: fail }));
  const { origin, stop } = await startEdge(auth && liveData ? { auth: auth.address, liveData: liveData.address } : {});
  onTestFinished(async () => {
    await stop();
    await auth?.stop();
    await liveData?.stop();
  });
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const account = { username: 'somebody', password: 'a password' };
  const read = () => fetch(`${origin}/.well-known/jwks.json`);
  return { read, post, write: () => post('/auth/login', account), account };
}

const retryAfter = (response: Response) => Number(response.headers.get('retry-after') ?? Number.NaN);

test('a call that fails because a service is away says when to try again, except a write whose outcome is unknown', async () => {
  const { read, post, write, account } = await start();
  const reads = await Promise.all(Array.from({ length: 20 }, read));
  for (const response of reads) {
    expect(response.status).toBe(503);
    expect([2, 3, 4]).toContain(retryAfter(response));
  }
  expect(new Set(reads.map(retryAfter)).size, 'clients do not all return at the same time').toBeGreaterThan(1);
  expect(await reads[0]?.json()).toEqual({
    detail: 'The auth service is not available right now',
    reason: 'service-unavailable',
  });
  const token = `hh_${'x'.repeat(40)}`;
  const unidentified = await post('/submission/mark_final', {}, { authorization: `Bearer ${token}` });
  for (const harmless of [await write(), unidentified]) {
    expect([harmless.status, [2, 3, 4].includes(retryAfter(harmless))]).toEqual([503, true]);
  }
  const written = await post('/auth/register', { ...account, email: 'somebody@husky.invalid' });
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, null]);
});

test('a refusal that names its time keeps it, also of a write', async () => {
  const { read, write } = await start(
    new DomainError('UNAVAILABLE', 'overloaded', 'More requests arrive than can be answered', { retryAfterS: 7 }),
  );
  for (const response of [await read(), await write()]) {
    expect([response.status, retryAfter(response)]).toEqual([503, 7]);
  }
});

test('a service that was too slow is no reason to come back soon', async () => {
  const { read } = await start(new DomainError('DEADLINE_EXCEEDED', 'deadline-exceeded', 'not in time'));
  const response = await read();
  expect([response.status, response.headers.get('retry-after')]).toEqual([504, null]);
});
