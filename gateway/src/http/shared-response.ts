import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { ofOwnMemory } from '@husky/runtime/process/own-memory';
import type Koa from 'koa';
import { brotliOptions, compressionThresholdBytes, type Encoding, shortestEncoding } from './compression.ts';

interface Content {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with status 200 that several callers get. */
export interface SharedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  /** Hash of the content. */
  readonly tag: string;
  /** Returns the content in an encoding. Compresses it once for each encoding. */
  encoded(encoding: Encoding): Promise<Buffer>;
}

const compressors = {
  br: (content: Buffer) => promisify(brotliCompress)(content, brotliOptions),
  gzip: (content: Buffer) => promisify(gzip)(content),
};

/** Creates a shared response from a handler's reply: a string is sent as it is, everything else as JSON. */
export function createSharedResponse({ body, headers = {} }: Content): SharedResponse {
  const json = typeof body !== 'string';
  const content = ofOwnMemory(json ? JSON.stringify(body) : body);
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return {
    headers: json ? { 'Content-Type': 'application/json; charset=utf-8', ...headers } : headers,
    content,
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    encoded(encoding) {
      if (encoding === 'identity') return Promise.resolve(content);
      const known = compressed.get(encoding) ?? compressors[encoding](content).then(ofOwnMemory);
      compressed.set(encoding, known);
      return known;
    },
  };
}

/**
 * Sends a shared response in an encoding that the client accepts, or 304 if the client has the content. The ETag is strong, so each
 * encoding has its own. Caches may store the response but must revalidate it, because a match can become private.
 */
export async function sendShared(ctx: Koa.Context, response: SharedResponse): Promise<void> {
  const encoding = response.content.length < compressionThresholdBytes ? 'identity' : shortestEncoding(ctx);
  ctx.set(response.headers);
  ctx.set({
    'Cache-Control': 'public, no-cache',
    ETag: `"${response.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`,
  });
  ctx.vary('Accept-Encoding');
  ctx.vary('Authorization');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = await response.encoded(encoding);
}
