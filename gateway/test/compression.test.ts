import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { compression, revalidation } from '../src/http/compression.ts';

const long = { hands: Array.from({ length: 500 }, (_, hand) => ({ game_id: `hand-${hand}` })) };

/** Starts a server whose responses are set by the handler. Returns a function that requests it without decoding the body. */
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

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('compresses JSON with %s, to less than a fifth', async (encoding, decode) => {
  const get = await serve((ctx) => {
    ctx.body = long;
  });
  const { headers, body } = await get({ 'accept-encoding': encoding });
  expect(headers['content-encoding']).toBe(encoding);
  expect(JSON.parse(decode(body).toString())).toEqual(long);
  expect(body.length * 5).toBeLessThan(JSON.stringify(long).length);
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
