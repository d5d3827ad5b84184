import { expect, test } from 'vitest';
import { fairQueue } from './fair-queue.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose work ends when it is told to, and what was started in which order. */
function world(limits: Parameters<typeof fairQueue>[0]) {
  const queue = fairQueue(limits);
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    refused,
    ask(network: string, name: string) {
      const work = () =>
        new Promise<void>((resolve) => {
          started.push(`${network}/${name}`);
          ends.push(resolve);
        });
      queue({ network, name }, work).catch(() => void refused.push(`${network}/${name}`));
    },
    async drain() {
      for (let end = ends.shift(); end; end = ends.shift()) {
        end();
        await turn();
      }
    },
  };
}

test('lets networks take turns, however long one of them waits already', async () => {
  const { ask, drain, started } = world({ slots: 1, waiting: 100, perName: 100 });
  for (let index = 0; index < 5; index++) ask('flood', `n${index}`);
  ask('home', 'alice');
  ask('other', 'bob');
  await drain();
  expect(started.slice(0, 4)).toEqual(['flood/n0', 'flood/n1', 'home/alice', 'other/bob']);
  expect(started).toHaveLength(7);
});

test('turns the newest of the longest line away when it is full, and itself when that is its own', async () => {
  const { ask, drain, started, refused } = world({ slots: 1, waiting: 4, perName: 100 });
  for (let index = 0; index < 7; index++) ask('flood', `n${index}`);
  ask('home', 'alice');
  await turn();
  expect(refused).toEqual(['flood/n5', 'flood/n6', 'flood/n4']);
  await drain();
  expect(started).toEqual(['flood/n0', 'flood/n1', 'home/alice', 'flood/n2', 'flood/n3']);
});

test('lets a few wait for one name, from wherever they come', async () => {
  const { ask, drain, started, refused } = world({ slots: 1, waiting: 100, perName: 2 });
  for (let index = 0; index < 5; index++) ask(`net${index}`, 'admin');
  ask('home', 'alice');
  await turn();
  expect(refused).toEqual(['net3/admin', 'net4/admin']);
  await drain();
  expect(started).toHaveLength(4);
  ask('net5', 'admin');
  await drain();
  expect(started).toHaveLength(5);
});

test('goes on after work that fails', async () => {
  const queue = fairQueue({ slots: 1, waiting: 1, perName: 1 });
  const place = { network: 'home', name: 'alice' };
  await expect(queue(place, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue(place, async () => 'yes')).toBe('yes');
});
