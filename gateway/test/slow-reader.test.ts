import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dropSlowReader } from '../src/routes/live/shared-stream.ts';

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

test('over a connection, a reader that pauses gets the marker after what it has missed, and its connection is closed', async () => {
  const out = new PassThrough();
  const dropping = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    out.pipe(response);
    // More than the buffers of the kernel hold.
    const more = setInterval(() => out.writableNeedDrain || out.write('x'.repeat(2 ** 20)), 5);
    const drop = () => {
      clearInterval(more);
      reader.stop();
      out.end();
      dropping.resolve();
    };
    const reader = dropSlowReader(out, drop, 200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let [bytes, last] = [0, ''];
  client.once('data', () => client.pause());
  await dropping.promise;
  client.on('data', (data) => {
    bytes += data.length;
    last = (last + data.toString('latin1')).slice(-1000);
  });
  client.resume();
  await once(client, 'end');
  expect(bytes).toBeGreaterThan(2 ** 20);
  expect(last).toMatch(/event: error[\s\S]*"reason":"slow-reader"/);
  await vi.waitFor(() => expect(out.closed).toBe(true));
});
