import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Party } from '@husky/runtime/rpc/party';
import type { Sessions } from '../sessions.ts';
import { addressKey } from './rate-limits.ts';

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerOf(header: string | undefined): string | undefined {
  const [scheme, token] = (header ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/**
 * Returns a function that tells for whom a request is before it is parsed: the client's address behind `proxies` proxies, as Koa
 * determines it, and the account if its token was valid lately. Services get the address as a keyed hash, because some store it.
 */
export function createPartyOf(sessions: Pick<Sessions, 'recentAccount'>, proxies: number, secret: Buffer) {
  const hashOf = (address: string) =>
    createHmac('sha256', secret).update(address).digest().subarray(0, 16).toString('base64url');
  return ({ headers, socket }: IncomingMessage): Party => {
    const forwarded =
      proxies === 0
        ? []
        : String(headers['x-forwarded-for'] ?? '')
            .split(/\s*,\s*/)
            .slice(-proxies);
    const token = bearerOf(headers.authorization);
    return {
      address: hashOf(addressKey(forwarded[0] || socket.remoteAddress || '')),
      account: (token === undefined ? undefined : sessions.recentAccount(token)) ?? '',
    };
  };
}
