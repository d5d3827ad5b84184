import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { folderStore, s3Store } from './object-stores.ts';

describe.each([
  ['a folder', folderStore],
  ['a bucket', s3Store],
])('%s', async (_name, start) => {
  const store = await start();
  afterAll(() => store.stop());
  const { objects } = store;

  test('returns what was stored last, and null for a key without an object', async () => {
    const object = randomBytes(100_000);
    expect(await objects.get('hands/one')).toBe(null);
    await objects.put('hands/one', randomBytes(10));
    await objects.put('hands/one', object);
    expect(await objects.get('hands/one')).toEqual(object);
    expect(await objects.get('hands/two')).toBe(null);
  });

  test('deletes an object, once or twice', async () => {
    await objects.put('hands/three', randomBytes(10));
    await objects.delete('hands/three');
    await objects.delete('hands/three');
    expect(await objects.get('hands/three')).toBe(null);
  });

  test('throws while it cannot be reached', async () => {
    await objects.put('hands/four', randomBytes(10));
    await store.interrupt();
    onTestFinished(() => store.resume());
    await expect(objects.put('hands/four', randomBytes(10))).rejects.toThrow();
    await expect(objects.get('hands/four')).rejects.toThrow();
    await expect(objects.get('hands/other')).rejects.toThrow();
    await expect(objects.delete('hands/four')).rejects.toThrow();
  });
});

test.each([
  [{ bucket: 'nowhere' }, 'GET hands/one: 404 NoSuchBucket'],
  [{ secretAccessKey: 'wrong' }, 'GET hands/one: 403 SignatureDoesNotMatch'],
])('a bucket refuses with the code of the server: %o', async (change, message) => {
  const store = await s3Store({ change });
  onTestFinished(() => store.stop());
  await expect(store.objects.get('hands/one')).rejects.toThrow(message);
});

test('a bucket has 5 s for a read, and more for a large object that background work writes and compares', async () => {
  const store = await s3Store();
  onTestFinished(() => store.stop());
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeouts.mockRestore());
  const object = randomBytes(1_000_000);
  await store.objects.put('hands/large', object);
  await store.objects.get('hands/large', object.length);
  await store.objects.get('hands/large');
  await store.objects.delete('hands/large');
  expect(timeouts.mock.calls).toEqual([[15_000], [15_000], [5000], [5000]]);
});
