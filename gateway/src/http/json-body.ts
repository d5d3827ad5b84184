import type Koa from 'koa';
import type { HeldBody } from './body-budget.ts';
import { disconnected, HttpError } from './errors.ts';

const maxJsonBytes = 256 * 1024;

/**
 * Reads the text of a JSON body. Throws 413 over 256 KiB, 503 beyond the budget, CANCELLED when the client disconnects. The rest of a
 * refused body is discarded.
 */
export async function readText(held: HeldBody, ctx: Koa.Context): Promise<string> {
  const tooLarge = new HttpError(413, 'body-too-large', `The request body is larger than ${maxJsonBytes / 1024} KiB`, {
    headers: { Connection: 'close' },
  });
  if ((ctx.request.length ?? 0) > maxJsonBytes) throw tooLarge;
  if (ctx.req.destroyed) throw disconnected();
  const body = held.createBuffer();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let refused = false;
  ctx.req.on('data', (part: Buffer) => {
    if (refused) return;
    try {
      if (body.size + part.length > maxJsonBytes) throw tooLarge;
      body.append(part);
    } catch (error) {
      refused = true;
      reject(error);
    }
  });
  ctx.req.once('end', () => resolve(body.content.toString('utf8')));
  ctx.req.once('close', () => reject(disconnected()));
  return promise;
}

/** Parses a JSON body; undefined when it is absent. Throws 415 for another media type, 422 for invalid JSON. */
export function parseJson(text: string, ctx: Koa.Context): unknown {
  if (text === '') return undefined;
  if (!ctx.is('json', '+json')) throw new HttpError(415, 'media-type', 'The request body must be application/json');
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(422, 'validation', 'body: is not valid JSON', {
      errors: [{ path: 'body', message: 'is not valid JSON' }],
    });
  }
}
