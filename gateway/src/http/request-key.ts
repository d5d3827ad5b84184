import { createHash } from 'node:crypto';
import type { RequestKey } from '@husky/runtime/rpc/request-key';
import { refusedFields } from './errors.ts';
import type { Route, RouteInput } from './route.ts';

export const requestKeyPattern = /^[\x20-\x7e]{1,64}$/;

/**
 * Reads the Idempotency-Key of a call that accepts one; undefined: the request has none. Keys of different users and calls are
 * different. Throws 422 for a malformed one.
 */
export function requestKeyOf(
  { repeatable, method, path }: Route,
  { koa, caller, query, body, files }: RouteInput<unknown, unknown, unknown>,
): RequestKey | undefined {
  const given = koa.get('idempotency-key');
  if (!repeatable || caller.kind !== 'user' || koa.req.headers['idempotency-key'] === undefined) return undefined;
  if (!requestKeyPattern.test(given)) {
    throw refusedFields([{ path: 'Idempotency-Key', message: 'has 1 to 64 printable characters of ASCII' }]);
  }
  const content = createHash('sha256').update(JSON.stringify([query, body]));
  for (const [name, { data }] of files) content.update(`${name} ${data.length} `).update(data);
  const key = createHash('sha256')
    .update(JSON.stringify([caller.id, method, path, given]))
    .digest('base64url');
  return { key, digest: content.digest('base64url') };
}
