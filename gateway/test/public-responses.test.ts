// The cache of responses that callers share, with an injected clock.
import { expect, test } from 'vitest';
import { createSharedResponse, type SharedResponse } from '../src/http/shared-response.ts';
import { createPublicResponses } from '../src/public-responses.ts';

interface World {
  match: { isPublic: boolean; canRead: boolean; finished: boolean } | undefined;
  text: string;
}

function open() {
  const world: World = { match: undefined, text: 'first' };
  const counts = { reads: 0, accesses: 0 };
  let nowMs = 0;
  const getMatchAccess = async () => {
    counts.accesses += 1;
    if (world.match === undefined) throw new Error('unavailable');
    return { ...world.match };
  };
  const responses = createPublicResponses({ getMatchAccess } as never, () => nowMs);
  const compute = async (): Promise<SharedResponse> => {
    counts.reads += 1;
    return createSharedResponse({ body: world.text });
  };
  const find = async (jobId?: string, key = '/path') => (await responses.find(key, jobId, compute)).content.toString();
  return { world, counts, responses, find, compute, advance: (ms: number) => (nowMs += ms) };
}

const finished = { isPublic: true, canRead: true, finished: true };

test('computes a response once for concurrent and later requests within a second, then again', async () => {
  const { world, counts, find, advance } = open();
  expect(await Promise.all([find(), find(), find()])).toEqual(['first', 'first', 'first']);
  world.text = 'second';
  advance(999);
  expect(await find()).toBe('first');
  advance(1);
  expect(await find()).toBe('second');
  expect(counts.reads).toBe(2);
});

test('does not share a response that took more than a second, and caches neither it nor a failure', async () => {
  const { responses, advance } = open();
  const slow = Promise.withResolvers<SharedResponse>();
  const first = responses.find('/path', undefined, () => slow.promise);
  advance(1500);
  const second = await responses.find('/path', undefined, async () => createSharedResponse({ body: 'second' }));
  slow.resolve(createSharedResponse({ body: 'first' }));
  expect([(await first).content.toString(), second.content.toString()]).toEqual(['first', 'second']);
  expect((await responses.find('/path', undefined, () => slow.promise)).content.toString()).toBe('second');

  const failing = () => Promise.reject(new Error('unavailable'));
  await expect(responses.find('/other', undefined, failing)).rejects.toThrow('unavailable');
  const recovered = await responses.find('/other', undefined, async () => createSharedResponse({ body: 'back' }));
  expect(recovered.content.toString()).toBe('back');
});

test('computes a response again after a change, also when an older computation ends later', async () => {
  const { responses } = open();
  const slow = Promise.withResolvers<SharedResponse>();
  const before = responses.find('/path', undefined, () => slow.promise);
  responses.forgetRecent();
  slow.resolve(createSharedResponse({ body: 'before' }));
  expect((await before).content.toString()).toBe('before');
  const after = await responses.find('/path', undefined, async () => createSharedResponse({ body: 'after' }));
  expect(after.content.toString()).toBe('after');
});

test('caches responses about a finished public match, and checks its visibility once a second', async () => {
  const { world, counts, find, advance } = open();
  world.match = finished;
  for (let second = 0; second < 10; second++) {
    expect(await find('match')).toBe('first');
    expect(await find('match')).toBe('first');
    advance(1000);
  }
  expect(counts).toEqual({ reads: 1, accesses: 10 });
});

test.each([
  ['private', { isPublic: false, canRead: false, finished: false }],
  ['deleted', undefined],
])('does not return cached responses about a match that has become %s', async (_, change) => {
  const { world, find, advance, responses, compute } = open();
  world.match = finished;
  await find('match');
  world.match = change;
  advance(1000);
  const refused = () => Promise.reject(new Error('This game is private and cannot be accessed.'));
  await expect(responses.find('/path', 'match', refused)).rejects.toThrow('private');
  // On the gateway that made the change it takes effect at once.
  world.match = finished;
  responses.forgetRecent();
  await responses.find('/path', 'match', compute);
  world.match = change;
  responses.forgetRecent();
  await expect(responses.find('/path', 'match', refused)).rejects.toThrow('private');
});

test('reads the visibility of a match once a second for pages and responses together', async () => {
  const { world, counts, find, advance, responses } = open();
  world.match = { isPublic: true, canRead: true, finished: false };
  expect(await Promise.all([responses.canRead('match'), responses.canRead('match')])).toEqual([true, true]);
  await find('match');
  expect(counts.accesses).toBe(1);
  world.match = { isPublic: false, canRead: false, finished: false };
  advance(999);
  expect(await responses.canRead('match')).toBe(true);
  advance(1);
  expect(await responses.canRead('match')).toBe(false);
  world.match = finished;
  responses.forgetRecent();
  expect(await responses.canRead('match')).toBe(true);
  world.match = undefined;
  responses.forgetRecent();
  await expect(responses.canRead('match')).rejects.toThrow('unavailable');
});

test('does not cache for good what was computed before the match had finished', async () => {
  const { world, find, advance } = open();
  world.match = { ...finished, finished: false };
  world.text = 'half of the hands';
  expect(await find('match')).toBe('half of the hands');
  advance(900);
  world.match = finished;
  world.text = 'all hands';
  advance(99);
  expect(await find('match')).toBe('half of the hands');
  advance(1);
  expect(await find('match')).toBe('all hands');
  world.text = 'never computed';
  advance(60_000);
  expect(await find('match')).toBe('all hands');
});

test('discards responses about finished matches when a user is deleted, also those in progress', async () => {
  const { world, responses, find } = open();
  world.match = finished;
  await find('match');
  world.text = 'without the name';
  responses.forgetAll();
  expect(await find('match')).toBe('without the name');

  const slow = Promise.withResolvers<SharedResponse>();
  const before = responses.find('/other', 'match', () => slow.promise);
  await new Promise(setImmediate);
  responses.forgetAll();
  slow.resolve(createSharedResponse({ body: 'the name' }));
  await before;
  expect(await find('match', '/other')).toBe('without the name');
});

test('holds a bounded number of bytes', async () => {
  const { world, counts, responses } = open();
  world.match = finished;
  const large = async () => {
    counts.reads += 1;
    return createSharedResponse({ body: 'x'.repeat(1024 * 1024) });
  };
  // 64 MiB hold 31 responses of 1 MiB with their compressed contents.
  for (let key = 0; key < 40; key++) await responses.find(`/${key}`, 'match', large);
  expect(counts.reads).toBe(40);
  await responses.find('/39', 'match', large);
  expect(counts.reads).toBe(40);
  responses.forgetRecent();
  await responses.find('/0', 'match', large);
  expect(counts.reads).toBe(41);
});

test('counts the bytes of keys', async () => {
  const { world, counts, responses, compute } = open();
  world.match = finished;
  const keyOf = (number: number) => `/${number}`.padEnd(8000, 'x');
  for (let number = 0; number < 9000; number++) await responses.find(keyOf(number), 'match', compute);
  responses.forgetRecent();
  await responses.find(keyOf(0), 'match', compute);
  expect(counts.reads).toBe(9001);
});

test('a response keeps no more memory than its content and its compressed contents', async () => {
  const response = createSharedResponse({ body: { hands: 'fold '.repeat(1000) } });
  const contents = await Promise.all(
    (['identity', 'gzip', 'br'] as const).map((encoding) => response.encoded(encoding)),
  );
  expect(contents.map(({ buffer }) => buffer.byteLength)).toEqual(contents.map(({ length }) => length));
});
