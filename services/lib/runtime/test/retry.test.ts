import { expect, test } from 'vitest';
import { createRetryBudget, isTransient, retry } from '../src/process/retry.ts';
import { DomainError } from '../src/rpc/errors.ts';

const unavailable = new DomainError(
  'UNAVAILABLE',
  'service-unavailable',
  'The auth service is not available right now',
);
const internal = new DomainError('INTERNAL', 'internal', 'Internal server error');
const refused = new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
const quick = { firstPauseMs: 0, maxPauseMs: 0 };

function failing(errors: readonly unknown[]): () => Promise<string> {
  const left = [...errors];
  return async () => {
    if (left.length > 0) throw left.shift();
    return 'done';
  };
}

test.each([
  [unavailable, true],
  [new DomainError('DEADLINE_EXCEEDED', 'deadline-exceeded', 'late'), true],
  [new DomainError('RESOURCE_EXHAUSTED', 'too-many-attempts', 'wait'), true],
  [refused, false],
  [new DomainError('FAILED_PRECONDITION', 'not-open', 'no'), false],
  [Object.assign(new Error('deadlock detected'), { code: '40P01' }), true],
  [Object.assign(new Error('transaction timed out'), { code: 'P2028' }), true],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), true],
  [Object.assign(new Error('getaddrinfo ENOTFOUND husky-postgres'), { code: 'ENOTFOUND' }), true],
  [Object.assign(new Error('connect EHOSTUNREACH 10.0.0.1'), { code: 'EHOSTUNREACH' }), true],
  [Object.assign(new Error('spawn python3 ENFILE'), { code: 'ENFILE' }), true],
  [new Error('timeout exceeded when trying to connect'), true],
  [new Error('timeout expired'), true],
  [new Error('Connection terminated unexpectedly'), true],
  [Object.assign(new Error('could not write'), { code: '53100' }), true],
  [Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }), true],
  [Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }), false],
  [
    Object.assign(new Error('Database error'), {
      code: 'P2010',
      meta: { driverAdapterError: { cause: { originalCode: '57P03' } } },
    }),
    true,
  ],
  [Object.assign(new Error('duplicate key'), { code: '23505' }), false],
  [new Error('a defect'), false],
  ['text', false],
])('classifies %s as transient: %s', (error, transient) => {
  expect(isTransient(error)).toBe(transient);
});

test('retries transient errors until the work succeeds, and reports each', async () => {
  const failures: number[] = [];
  const onFailure = (_error: unknown, count: number) => void failures.push(count);
  expect(await retry(failing([unavailable, unavailable]), { ...quick, onFailure })).toBe('done');
  expect(failures).toEqual([1, 2]);
});

test('throws a refusal at once', async () => {
  const work = failing([refused, unavailable]);
  await expect(retry(work, quick)).rejects.toBe(refused);
  await expect(work()).rejects.toBe(unavailable);
});

test('throws the last error after maxMs', async () => {
  await expect(retry(failing([unavailable]), { ...quick, maxMs: 0 })).rejects.toBe(unavailable);
});

test('reports a cause once while it stays the same', async () => {
  const messages = ['unavailable', 'unavailable', 'starting', 'unavailable'];
  const causes: string[] = [];
  const work = async () => {
    const message = messages.shift();
    if (message !== undefined) throw new Error(message);
  };
  await retry(work, { firstPauseMs: 1, retryIf: () => true, onNewCause: (cause) => void causes.push(cause) });
  expect(causes).toEqual(['unavailable', 'starting', 'unavailable']);
});

test('rejects with the reason of its signal, even during a pause', async () => {
  const stop = new AbortController();
  const reason = new Error('shutdown');
  const onFailure = () => queueMicrotask(() => stop.abort(reason));
  const running = retry(failing([unavailable]), {
    firstPauseMs: 3_600_000,
    maxPauseMs: 3_600_000,
    signal: stop.signal,
    onFailure,
  });
  await expect(running).rejects.toBe(reason);
  await expect(retry(async () => 'done', { signal: stop.signal })).rejects.toBe(reason);
});

test('retries INTERNAL, probably a defect, only with a limit on its time', async () => {
  const { signal } = new AbortController();
  for (const options of [quick, { ...quick, signal }]) {
    await expect(retry(failing([internal]), options)).rejects.toBe(internal);
  }
  for (const options of [{ maxMs: 60_000 }, { signal, maxInternalMs: 60_000 }]) {
    expect(await retry(failing([internal, internal]), { ...quick, ...options })).toBe('done');
  }
});

test('counts the time of INTERNAL errors from the first of a series, not from the start of an outage', async () => {
  const { signal } = new AbortController();
  const options = { ...quick, signal, maxInternalMs: 0.001 };
  await expect(retry(failing([unavailable, internal, internal]), { ...options, firstPauseMs: 5 })).rejects.toBe(
    internal,
  );
  const seen: unknown[] = [];
  const work = failing([internal, unavailable, internal]);
  const onFailure = (error: unknown) => void seen.push(error);
  expect(await retry(work, { ...quick, signal, maxInternalMs: 60_000, onFailure })).toBe('done');
  expect(seen).toEqual([internal, unavailable, internal]);
});

test('limits the retries of all calls that share a budget to a share of the calls, beyond a reserve', async () => {
  const budget = createRetryBudget({ share: 0.25, reserve: 3 });
  let attempts = 0;
  const work = async () => {
    attempts++;
    throw unavailable;
  };
  await expect(retry(work, { ...quick, budget })).rejects.toBe(unavailable);
  expect(attempts).toBe(4);
  for (let call = 0; call < 40; call++) await expect(retry(work, { ...quick, budget })).rejects.toBe(unavailable);
  expect(attempts).toBe(4 + 40 + 10);
});

test('gives calls without a time limit the budget of the process, so that none is repeated without end', async () => {
  let attempts = 0;
  const work = async () => {
    attempts++;
    throw unavailable;
  };
  for (let call = 0; call < 3; call++) await expect(retry(work, quick)).rejects.toBe(unavailable);
  expect(attempts).toBeLessThan(20);
});
