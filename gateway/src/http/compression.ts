import { createHash } from 'node:crypto';
import { Stream } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type Koa from 'koa';
import compress from 'koa-compress';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Shorter responses are not compressed. */
export const compressionThresholdBytes = 1024;

/** Longer responses are compressed on libuv's threads, so that the event loop is blocked for less than a millisecond. */
const maxSyncBytes = 64 * 1024;
// Brotli's default of 11 takes a hundred times as long for 10 % less.
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressSync = {
  br: (content: Buffer) => brotliCompressSync(content, brotliOptions),
  gzip: (content: Buffer) => gzipSync(content),
};

/** Returns the shortest encoding that the client accepts. Browsers name gzip first and accept Brotli as well, which is an eighth shorter. */
export function shortestEncoding(ctx: Koa.Context): Encoding {
  if (ctx.acceptsEncodings('br', 'identity') === 'br') return 'br';
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity';
}

/**
 * Compresses responses of at least 1 KiB with Brotli or gzip. Streams are sent as they are: server-sent events must not wait for a
 * full block, and a client that disconnects must end the source of a download.
 */
export function compression(): Koa.Middleware {
  const compressStream = compress({
    threshold: compressionThresholdBytes,
    zstd: false,
    deflate: false,
    br: {},
    gzip: {},
  });
  return (ctx, next) =>
    compressStream(ctx, async () => {
      await next();
      if (ctx.body instanceof Stream) ctx.compress = false;
      else if (isJson(ctx.body)) encode(ctx, Buffer.from(JSON.stringify(ctx.body)));
      else if (typeof ctx.body === 'string' && ctx.response.is('json')) encode(ctx, Buffer.from(ctx.body));
    });
}

/** Returns whether Koa would send a body as JSON. */
function isJson(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}

/**
 * Sets an encoded JSON body. Compresses it here if it is short: a stream of zlib costs 0.2 ms more than the compression of a short
 * text, and koa-compress and Koa would each encode the body again.
 */
function encode(ctx: Koa.Context, content: Buffer): void {
  ctx.body = content;
  if (content.length < compressionThresholdBytes || content.length > maxSyncBytes || ctx.method === 'HEAD') return;
  const encoding = shortestEncoding(ctx);
  if (encoding === 'identity') return;
  ctx.set('Content-Encoding', encoding);
  ctx.body = compressSync[encoding](content);
}

/**
 * Adds an ETag to responses that a client may store but must revalidate (`Cache-Control: no-cache`), and responds with 304 if the
 * client has the same content. The tag is weak, because it is the same for all encodings.
 */
export function revalidation(): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    const storable = /\bno-cache\b/.test(ctx.response.get('Cache-Control'));
    // Whoever set an ETag has already compared it.
    if (!storable || ctx.status !== 200 || !body || body instanceof Stream || ctx.res.hasHeader('ETag')) return;
    const content = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    ctx.set('ETag', `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = content;
  };
}
