import { expect, onTestFinished, test, vi } from 'vitest';
import { type FairQueueLimits, fairQueue } from './hash-queue.ts';

const waits = { maxWaitMs: 60_000, standingWaitMs: 60_000, standingMs: 60_000 };

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a queue whose jobs run until `drain`. `started` and `refused` list jobs in order. */
function createTestQueue(limits: Partial<FairQueueLimits>) {
  const queue = fairQueue({ slots: 1, waiting: 100, perName: 100, ...waits, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  /** Ends the job that has run longest. */
  const end = () => {
    ends.shift()?.();
    return eventLoopTurn();
  };
  return {
    started,
    refused,
    add(network: string, name: string) {
      const work = () =>
        new Promise<void>((resolve) => {
          started.push(`${network}/${name}`);
          ends.push(resolve);
        });
      queue({ network, name }, work).catch(() => void refused.push(`${network}/${name}`));
    },
    end,
    async drain() {
      while (ends.length > 0) await end();
    },
  };
}

test('serves networks round-robin, regardless of how many jobs one of them has waiting', async () => {
  const { add, drain, started } = createTestQueue({});
  for (let index = 0; index < 5; index++) add('flood', `n${index}`);
  add('home', 'alice');
  add('other', 'bob');
  await drain();
  expect(started.slice(0, 4)).toEqual(['flood/n0', 'flood/n1', 'home/alice', 'other/bob']);
  expect(started).toHaveLength(7);
});

test('when full, rejects the newest job of the network with most waiting jobs, which may be the new job itself', async () => {
  const { add, drain, started, refused } = createTestQueue({ waiting: 4 });
  for (let index = 0; index < 7; index++) add('flood', `n${index}`);
  add('home', 'alice');
  await eventLoopTurn();
  expect(refused).toEqual(['flood/n5', 'flood/n6', 'flood/n4']);
  await drain();
  expect(started).toEqual(['flood/n0', 'flood/n1', 'home/alice', 'flood/n2', 'flood/n3']);
});

test('serves the names of a network round-robin and limits the waiting jobs of one, whatever others send in its name elsewhere', async () => {
  const { add, drain, started, refused } = createTestQueue({ perName: 3 });
  for (let index = 0; index < 5; index++) add('home', 'attacker');
  for (let index = 0; index < 4; index++) add(`net${index}`, 'alice');
  add('home', 'alice');
  await eventLoopTurn();
  expect(refused).toEqual(['home/attacker']);
  await drain();
  const atHome = started.filter((job) => job.startsWith('home'));
  expect(atHome.slice(0, 3)).toEqual(['home/attacker', 'home/attacker', 'home/alice']);
  expect(started).toHaveLength(9);
});

test('continues after a job that fails', async () => {
  const queue = fairQueue({ slots: 1, waiting: 1, perName: 1, ...waits });
  const place = { network: 'home', name: 'alice' };
  await expect(queue(place, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue(place, async () => 'yes')).toBe('yes');
});

/** Uses a clock that only `advance` moves. */
function useTestClock(): { advance: (ms: number) => Promise<unknown> } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return { advance: (ms) => vi.advanceTimersByTimeAsync(ms) };
}

test('rejects a job that has waited too long', async () => {
  const { advance } = useTestClock();
  const { add, drain, started, refused } = createTestQueue({ maxWaitMs: 800 });
  add('home', 'running');
  add('home', 'first');
  add('other', 'second');
  await advance(700);
  add('home', 'third');
  await advance(100);
  expect(refused).toEqual(['home/first', 'other/second']);
  await drain();
  expect(started).toEqual(['home/running', 'home/third']);
});

/** A queue with one job running, in which three more have waited for 400 ms, longer than `standingMs`. */
async function createStandingQueue(advance: (ms: number) => Promise<unknown>) {
  const queue = createTestQueue({ maxWaitMs: 5000, standingWaitMs: 100, standingMs: 300 });
  for (const name of ['running', 'first', 'second', 'third']) queue.add('home', name);
  await advance(400);
  return queue;
}

test('while jobs wait without a break, rejects new ones earlier, and serves a burst whole', async () => {
  const { advance } = useTestClock();
  const { add, drain, end, started, refused } = await createStandingQueue(advance);
  await end();
  add('other', 'alice');
  add('home', 'late');
  await advance(100);
  expect(refused).toEqual(['other/alice', 'home/late']);
  await drain();
  expect(started).toEqual(['home/running', 'home/first', 'home/second', 'home/third']);

  add('home', 'runs at once');
  add('home', 'waits');
  await advance(100);
  expect(refused.at(-1), 'soon after the queue was empty').toBe('home/waits');
  await advance(200);
  add('home', 'waits longer');
  await advance(1000);
  await end();
  expect(started.at(-1), 'long after the queue was empty').toBe('home/waits longer');
});

test('while jobs wait without a break and more of a network arrive than start, rejects its two oldest late jobs per arrival', async () => {
  const { advance } = useTestClock();
  const { add, drain, end, started, refused } = await createStandingQueue(advance);
  add('other', 'alice');
  await end();
  add('home', 'fourth');
  await eventLoopTurn();
  expect(refused, 'as many have arrived as started').toEqual([]);
  for (const name of ['fifth', 'sixth']) add('home', name);
  await eventLoopTurn();
  expect(refused, 'the others have not waited long enough').toEqual(['home/second', 'home/third']);
  await drain();
  expect(started).toEqual(['home/running', 'home/first', 'other/alice', 'home/fourth', 'home/fifth', 'home/sixth']);
});

test('a burst is not rejected whole when one more arrives than starts', async () => {
  const { advance } = useTestClock();
  const { add, refused } = await createStandingQueue(advance);
  add('home', 'fourth');
  await eventLoopTurn();
  expect(refused).toEqual(['home/first', 'home/second']);
});
