import { expect, onTestFinished, test, vi } from 'vitest';
import { createHashQueues } from './hash-queue.ts';

/** Creates a queue with two places whose jobs run until `end`. `started` and `refused` list jobs in order. */
function createTestQueue() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = createHashQueues(1).known;
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const end = async () => {
    await advance(10);
    ends.shift()?.();
    await advance(0);
  };
  return {
    started,
    refused,
    advance,
    /** Ends the job that has run longest, after 10 ms. */
    end,
    async add(...jobs: string[]) {
      for (const job of jobs) {
        const [network = '', name = ''] = job.split('/');
        const work = () =>
          new Promise<void>((resolve) => {
            started.push(job);
            ends.push(resolve);
          });
        queue({ network, name }, work).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'RESOURCE_EXHAUSTED', reason: 'busy', retryAfterS: 2 });
          refused.push(job);
        });
        await advance(0);
      }
    },
    async drain() {
      while (ends.length > 0) await end();
    },
  };
}
const numbered = (count: number, network: string) =>
  Array.from({ length: count }, (_, index) => `${network}/n${index}`);

test('serves networks in turn, regardless of how many jobs one of them has waiting', async () => {
  const { add, drain, started } = createTestQueue();
  await add(...numbered(8, 'flood'), 'home/alice', 'other/bob', 'home/carol');
  await drain();
  expect(started.indexOf('home/alice')).toBeLessThanOrEqual(4);
  expect(started.indexOf('other/bob')).toBeLessThanOrEqual(4);
  expect(started.indexOf('home/carol')).toBeLessThan(started.indexOf('flood/n5'));
  expect(started).toHaveLength(11);
});

test('serves the names of a network in turn, whatever others send in their name elsewhere', async () => {
  const { add, drain, started } = createTestQueue();
  await add(...Array<string>(8).fill('home/attacker'), ...Array<string>(4).fill('net/alice'), 'home/alice');
  await drain();
  const atHome = started.filter((job) => job.startsWith('home'));
  expect(atHome.indexOf('home/alice')).toBeLessThanOrEqual(3);
  expect(started).toHaveLength(13);
});

test('when full, rejects the newest job of the network with most waiting jobs, which may be the new job itself', async () => {
  const { add, refused } = createTestQueue();
  await add(...numbered(103, 'flood'), 'home/alice');
  expect(refused).toEqual(['flood/n102', 'flood/n101']);
});

test('serves a burst whole, and rejects new jobs of the network earlier while others wait without a break', async () => {
  const { add, advance, drain, end, started, refused } = createTestQueue();
  await add('home/a', 'home/b', 'home/c', 'home/d');
  await advance(300);
  await add('home/late', 'other/alice');
  await end();
  expect(started.at(-1)).toBe('other/alice');
  await advance(200);
  expect(refused).toEqual(['home/late']);
  await drain();
  expect(started).toHaveLength(5);
});

test('rejects a job that has waited too long', async () => {
  const { add, advance, refused } = createTestQueue();
  await add('home/a', 'home/b', 'home/c');
  await advance(5000);
  expect(refused).toEqual(['home/c']);
});
