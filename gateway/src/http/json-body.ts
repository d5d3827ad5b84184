import type Koa from 'koa';
import type { HeldBody } from './body-budget.ts';
import { disconnected, HttpError } from './errors.ts';

const maxJsonBytes = 256 * 1024;

/**
 * Reads a JSON body; undefined when it is absent. Throws 415 for another media type, 413 over 256 KiB, 422 for invalid JSON, 503 beyond the
 * budget, CANCELLED when the client disconnects.
 */
export async function readJson(held: HeldBody, ctx: Koa.Context): Promise<unknown> {
  const text = await readText(held, ctx).catch((error: unknown) => {
    throw ctx.req.destroyed ? disconnected() : error;
  });
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

async function readText(held: HeldBody, ctx: Koa.Context): Promise<string> {
  const tooLarge = new HttpError(413, 'body-too-large', `The request body is larger than ${maxJsonBytes / 1024} KiB`, {
    headers: { Connection: 'close' },
  });
  if ((ctx.request.length ?? 0) > maxJsonBytes) throw tooLarge;
  held.startReading();
  const body = held.createBuffer();
  // The connection must stay open until the client has read the refusal.
  for await (const part of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (body.size + part.length > maxJsonBytes) throw tooLarge;
    body.append(part);
  }
  return body.content.toString('utf8');
}
