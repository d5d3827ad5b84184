import { createHash } from 'node:crypto';
import { Stream } from 'node:stream';
import type Koa from 'koa';
import compress from 'koa-compress';

/** Shorter responses are not compressed. */
export const minBytes = 1024;

/**
 * Compresses responses of at least 1 KiB with Brotli or gzip. Streams are sent as they are: server-sent events must not wait for a
 * full block, and a client that disconnects must end the source of a download.
 */
export function compression(): Koa.Middleware {
  const pack = compress({ threshold: minBytes, zstd: false, deflate: false, br: {}, gzip: {} });
  return (ctx, next) =>
    pack(ctx, async () => {
      await next();
      if (ctx.body instanceof Stream) ctx.compress = false;
    });
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
    // A response that has a tag has been compared.
    if (!storable || ctx.status !== 200 || !body || body instanceof Stream || ctx.res.hasHeader('ETag')) return;
    const content = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    ctx.set('ETag', `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = content;
  };
}
