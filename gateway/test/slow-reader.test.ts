import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { dropSlowReader } from '../src/routes/live/slow-reader.ts';

const full = () => {
  const out = new PassThrough({ highWaterMark: 16 });
  out.write('more than sixteen bytes');
  expect(out.writableNeedDrain).toBe(true);
  return out;
};

test('drops a reader that reads nothing, with a marker as its last event', async () => {
  const out = full();
  const dropping = Promise.withResolvers<void>();
  const reader = dropSlowReader(out, () => dropping.resolve(), 50);
  await dropping.promise;
  expect(reader.dropped()).toBe(true);
  expect(String(out.read())).toMatch(/event: error[\s\S]*"reason":"slow-reader"/);
  reader.stop();
});

test('keeps a reader that reads', async () => {
  const out = full();
  const reader = dropSlowReader(out, () => undefined, 100);
  for (let at = 0; at < 10; at++) {
    out.resume();
    await new Promise((resolve) => out.once('drain', resolve));
    out.pause();
    out.write('more than sixteen bytes');
  }
  expect(reader.dropped()).toBe(false);
  reader.stop();
});
