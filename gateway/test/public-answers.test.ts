// Answers that callers share, with a clock of the test.
import { expect, test } from 'vitest';
import { type SharedAnswer, sharedAnswer } from '../src/http/shared-answer.ts';
import { createPublicAnswers } from '../src/public-answers.ts';

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
  const answers = createPublicAnswers({ getMatchAccess } as never, () => nowMs);
  const read = async (): Promise<SharedAnswer> => {
    counts.reads += 1;
    return sharedAnswer({ body: world.text });
  };
  const ask = async (jobId?: string, key = '/path') => (await answers.find(key, jobId, read)).content.toString();
  return { world, counts, answers, ask, read, pass: (ms: number) => (nowMs += ms) };
}

const finished = { isPublic: true, canRead: true, finished: true };

test('reads once for concurrent and later requests within a second, then again', async () => {
  const { world, counts, ask, pass } = open();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['first', 'first', 'first']);
  world.text = 'second';
  pass(999);
  expect(await ask()).toBe('first');
  pass(1);
  expect(await ask()).toBe('second');
  expect(counts.reads).toBe(2);
});

test('does not share a read that began more than a second ago, and keeps neither it nor a failure', async () => {
  const { answers, pass } = open();
  const slow = Promise.withResolvers<SharedAnswer>();
  const first = answers.find('/path', undefined, () => slow.promise);
  pass(1500);
  const second = await answers.find('/path', undefined, async () => sharedAnswer({ body: 'second' }));
  slow.resolve(sharedAnswer({ body: 'first' }));
  expect([(await first).content.toString(), second.content.toString()]).toEqual(['first', 'second']);
  expect((await answers.find('/path', undefined, () => slow.promise)).content.toString()).toBe('second');

  const failing = () => Promise.reject(new Error('away'));
  await expect(answers.find('/other', undefined, failing)).rejects.toThrow('away');
  const recovered = await answers.find('/other', undefined, async () => sharedAnswer({ body: 'back' }));
  expect(recovered.content.toString()).toBe('back');
});

test('reads again after a change, also when an older read ends later', async () => {
  const { answers } = open();
  const slow = Promise.withResolvers<SharedAnswer>();
  const before = answers.find('/path', undefined, () => slow.promise);
  answers.forgetRecent();
  slow.resolve(sharedAnswer({ body: 'before' }));
  expect((await before).content.toString()).toBe('before');
  const after = await answers.find('/path', undefined, async () => sharedAnswer({ body: 'after' }));
  expect(after.content.toString()).toBe('after');
});

test('keeps what is said of a finished public match, and checks its visibility once a second', async () => {
  const { world, counts, ask, pass } = open();
  world.match = finished;
  for (let second = 0; second < 10; second++) {
    expect(await ask('match')).toBe('first');
    expect(await ask('match')).toBe('first');
    pass(1000);
  }
  expect(counts).toEqual({ reads: 1, accesses: 10 });
});

test.each([
  ['private', { isPublic: false, canRead: false, finished: false }],
  ['deleted', undefined],
])('does not return what it keeps of a match that is %s since', async (_, change) => {
  const { world, ask, pass, answers, read } = open();
  world.match = finished;
  await ask('match');
  world.match = change;
  pass(1000);
  const refused = () => Promise.reject(new Error('This game is private and cannot be accessed.'));
  await expect(answers.find('/path', 'match', refused)).rejects.toThrow('private');
  // The gateway that made the change does not wait.
  world.match = finished;
  answers.forgetRecent();
  await answers.find('/path', 'match', read);
  world.match = change;
  answers.forgetRecent();
  await expect(answers.find('/path', 'match', refused)).rejects.toThrow('private');
});

test('reads the visibility of a match once a second for its pages and answers together', async () => {
  const { world, counts, ask, pass, answers } = open();
  world.match = { isPublic: true, canRead: true, finished: false };
  expect(await Promise.all([answers.canRead('match'), answers.canRead('match')])).toEqual([true, true]);
  await ask('match');
  expect(counts.accesses).toBe(1);
  world.match = { isPublic: false, canRead: false, finished: false };
  pass(999);
  expect(await answers.canRead('match')).toBe(true);
  pass(1);
  expect(await answers.canRead('match')).toBe(false);
  world.match = finished;
  answers.forgetRecent();
  expect(await answers.canRead('match')).toBe(true);
  world.match = undefined;
  answers.forgetRecent();
  await expect(answers.canRead('match')).rejects.toThrow('unavailable');
});

test('does not keep what was read before the match had finished', async () => {
  const { world, ask, pass } = open();
  world.match = { ...finished, finished: false };
  world.text = 'half of the hands';
  expect(await ask('match')).toBe('half of the hands');
  pass(900);
  world.match = finished;
  world.text = 'all hands';
  pass(99);
  expect(await ask('match')).toBe('half of the hands');
  pass(1);
  expect(await ask('match')).toBe('all hands');
  world.text = 'never read';
  pass(60_000);
  expect(await ask('match')).toBe('all hands');
});

test('forgets finished matches when a user has been deleted, also those being read', async () => {
  const { world, answers, ask } = open();
  world.match = finished;
  await ask('match');
  world.text = 'without the name';
  answers.forgetAll();
  expect(await ask('match')).toBe('without the name');

  const slow = Promise.withResolvers<SharedAnswer>();
  const before = answers.find('/other', 'match', () => slow.promise);
  await new Promise(setImmediate);
  answers.forgetAll();
  slow.resolve(sharedAnswer({ body: 'the name' }));
  await before;
  expect(await ask('match', '/other')).toBe('without the name');
});

test('holds a bounded number of bytes', async () => {
  const { world, counts, answers } = open();
  world.match = finished;
  const large = async () => {
    counts.reads += 1;
    return sharedAnswer({ body: 'x'.repeat(1024 * 1024) });
  };
  // 64 MiB hold 31 answers of 1 MiB with their compressed contents.
  for (let key = 0; key < 40; key++) await answers.find(`/${key}`, 'match', large);
  expect(counts.reads).toBe(40);
  await answers.find('/39', 'match', large);
  expect(counts.reads).toBe(40);
  answers.forgetRecent();
  await answers.find('/0', 'match', large);
  expect(counts.reads).toBe(41);
});
