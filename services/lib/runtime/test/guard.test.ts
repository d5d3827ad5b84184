import { expect, test, vi } from 'vitest';
import { admin, anyone, authorizeResource } from '../src/rpc/access.ts';
import type { Caller } from '../src/rpc/caller.ts';
import { DomainError } from '../src/rpc/errors.ts';
import type { Call, CheckingCall } from '../src/rpc/grpc-server.ts';
import { guard, guardStream } from '../src/rpc/guard.ts';

const callBy = (caller: Caller): Call => ({ caller, signal: new AbortController().signal, requestId: 'r1' });
const ada: Caller = { kind: 'user', id: 'ada', username: 'ada', admin: true, verified: true };
const vera: Caller = { ...ada, id: 'vera', admin: false };

const ofOwner = authorizeResource(anyone, (caller: Caller, ownerId: string) => {
  if (caller.kind === 'user' && caller.id === ownerId) return 'theirs';
  throw new DomainError('PERMISSION_DENIED', 'not-the-owner', 'No.');
});
type OwnerCall = CheckingCall<Caller, [ownerId: string], string>;

async function all(messages: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const message of messages) seen.push(message);
  return seen;
}

test('a handler does not run for callers that its rule refuses', async () => {
  const handler = vi.fn(async () => 'done');
  const serve = guard('pool/Scale', admin, handler);
  await expect(serve({}, callBy(vera))).rejects.toMatchObject({ code: 'PERMISSION_DENIED', reason: 'not-admin' });
  await expect(serve({}, callBy({ kind: 'anonymous' }))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(handler).not.toHaveBeenCalled();
  expect(await serve({ n: 1 }, callBy(ada))).toBe('done');
  expect(handler).toHaveBeenCalledExactlyOnceWith({ n: 1 }, expect.objectContaining({ caller: ada, requestId: 'r1' }));
});

test('a rule may depend on the request', async () => {
  const own = (caller: Caller, request: { all: boolean }) => (request.all ? admin(caller) : caller);
  const serve = guard('simulation/ListJobs', own, async () => 'done');
  expect(await serve({ all: false }, callBy(vera))).toBe('done');
  await expect(serve({ all: true }, callBy(vera))).rejects.toMatchObject({ reason: 'not-admin' });
});

test('the check of a rule decides whether the caller may use the loaded resource', async () => {
  const serve = guard('submission/GetFile', ofOwner, async (_request, call) => (call as OwnerCall).check('vera'));
  expect(await serve({}, callBy(vera))).toBe('theirs');
  await expect(serve({}, callBy(ada))).rejects.toMatchObject({ reason: 'not-the-owner' });
});

test('a handler that returns a resource without a check fails', async () => {
  const serve = guard('submission/GetFile', ofOwner, async () => 'secret');
  await expect(serve({}, callBy(vera))).rejects.toThrow('submission/GetFile returns a result without having checked');
});

test('a handler may refuse with NOT_FOUND without a check', async () => {
  const missing = new DomainError('NOT_FOUND', 'file-not-found', 'File not found');
  const serve = guard('submission/GetFile', ofOwner, () => Promise.reject(missing));
  await expect(serve({}, callBy(vera))).rejects.toBe(missing);
});

test('a stream sends no message before the check', async () => {
  const refused = vi.fn(async function* () {
    yield 'hand';
  });
  await expect(all(guardStream('x', admin, refused)({}, callBy(vera)))).rejects.toMatchObject({
    reason: 'not-admin',
  });
  expect(refused).not.toHaveBeenCalled();
  const seen: unknown[] = [];
  const readUnchecked = async () => {
    for await (const message of guardStream('live-data/StreamMatch', ofOwner, refused)({}, callBy(vera))) {
      seen.push(message);
    }
  };
  await expect(readUnchecked()).rejects.toThrow('live-data/StreamMatch returns a result without having checked');
  expect(seen).toEqual([]);
  const checked = guardStream('x', ofOwner, async function* (_request, call) {
    yield (call as OwnerCall).check('vera');
    yield 'hand';
  });
  expect(await all(checked({}, callBy(vera)))).toEqual(['theirs', 'hand']);
});

test('the handler of a stream ends when the reader stops reading', async () => {
  let ended = false;
  const serve = guardStream('x', anyone, async function* () {
    try {
      for (;;) yield 'hand';
    } finally {
      ended = true;
    }
  });
  for await (const _message of serve({}, callBy(vera))) break;
  expect(ended).toBe(true);
});
