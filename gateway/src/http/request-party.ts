import type { IncomingMessage } from 'node:http';
import type { Party } from '@husky/runtime/party';
import type { Sessions } from '../sessions.ts';
import { addressKey } from './rate-limits.ts';

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerOf(header: string | undefined): string | undefined {
  const [scheme, token] = (header ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/**
 * Returns a function that tells for whom a request is before it is parsed: the client's address behind `proxies` proxies, as Koa
 * determines it, and the account if its token was valid lately.
 */
export function createPartyOf(sessions: Pick<Sessions, 'recentAccount'>, proxies: number) {
  return ({ headers, socket }: IncomingMessage): Party => {
    const forwarded =
      proxies === 0
        ? []
        : String(headers['x-forwarded-for'] ?? '')
            .split(/\s*,\s*/)
            .slice(-proxies);
    const token = bearerOf(headers.authorization);
    return {
      address: addressKey(forwarded[0] || socket.remoteAddress || ''),
      account: (token === undefined ? undefined : sessions.recentAccount(token)) ?? '',
    };
  };
}
