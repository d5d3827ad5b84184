import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { compression, revalidation } from '../src/http/compression.ts';

const long = { hands: Array.from({ length: 500 }, (_, hand) => ({ game_id: `hand-${hand}` })) };

/** Starts a server with a handler that sets the responses. Returns a function that sends a request and does not decode the body. */
async function serve(handle: (ctx: Koa.Context) => void) {
  const app = new Koa();
  app.use(compression());
  app.use(revalidation());
  app.use(handle);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (headers: Record<string, string>) => {
    const sent = request({ port, host: '127.0.0.1', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = Buffer.concat((await response.toArray()) as Buffer[]);
    return { status: response.statusCode, headers: response.headers, body };
  };
}

const longest = { hands: Array.from({ length: 10 }, () => long.hands).flat() };

test.each([
  ['br', 'at once', long, brotliDecompressSync],
  ['gzip', 'at once', long, gunzipSync],
  ['gzip, deflate, br, zstd', 'at once', long, brotliDecompressSync],
  ['br', 'as a stream', longest, brotliDecompressSync],
  ['gzip', 'as a stream', longest, gunzipSync],
  ['gzip, deflate, br, zstd', 'as a stream', longest, brotliDecompressSync],
])('compresses JSON with %s %s, to less than a fifth', async (accepted, _, content, decode) => {
  const get = await serve((ctx) => {
    ctx.body = content;
  });
  const { headers, body } = await get({ 'accept-encoding': accepted });
  const encoding = accepted.includes('br') ? 'br' : 'gzip';
  expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-type': 'application/json; charset=utf-8' });
  expect(headers.vary).toBe('Accept-Encoding');
  expect(JSON.parse(decode(body).toString())).toEqual(content);
  expect(body.length * 5).toBeLessThan(JSON.stringify(content).length);
});

test('sends short responses, and responses to clients without an encoding, as they are', async () => {
  const short = await serve((ctx) => {
    ctx.body = { status: 'ok' };
  });
  expect((await short({ 'accept-encoding': 'br' })).body.toString()).toBe('{"status":"ok"}');
  const plain = await serve((ctx) => {
    ctx.body = long;
  });
  expect((await plain({})).body.toString()).toBe(JSON.stringify(long));
  for (const accepted of ['identity', 'br;q=0, gzip;q=0']) {
    const { headers, body } = await plain({ 'accept-encoding': accepted });
    expect([headers['content-encoding'], body.toString()]).toEqual([undefined, JSON.stringify(long)]);
  }
});

test('does not compress a stream', async () => {
  const get = await serve((ctx) => {
    ctx.type = 'text/event-stream';
    const out = new PassThrough();
    ctx.body = out;
    out.end('data: x\n\n'.repeat(1000));
  });
  const { headers, body } = await get({ 'accept-encoding': 'br, gzip' });
  expect([headers['content-encoding'], body.length]).toEqual([undefined, 9000]);
});

test('responds with 304 to a client that has the content, and with the content after a change', async () => {
  let content: object = long;
  const get = await serve((ctx) => {
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.body = content;
  });
  const first = await get({ 'accept-encoding': 'br' });
  const etag = String(first.headers.etag);
  expect(first.status).toBe(200);
  const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': etag });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
  content = { hands: [] };
  const changed = await get({ 'if-none-match': etag });
  expect([changed.status, changed.body.toString()]).toEqual([200, '{"hands":[]}']);
});

test('gives no ETag to a response that must not be stored', async () => {
  const get = await serve((ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = long;
  });
  expect((await get({})).headers.etag).toBeUndefined();
});
