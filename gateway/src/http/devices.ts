import { createHmac, randomBytes } from 'node:crypto';
import type Koa from 'koa';

/**
 * Recognises browsers by a signed cookie with a random id and the names that have signed in there. It grants no access: its attempts to sign
 * in are counted apart from those of others at the same address (services/auth/src/domain/back-off.ts).
 */
export interface Devices {
  /** Returns the id of a device on which anybody has signed in; empty: none. */
  idOf(ctx: Koa.Context): string;
  /** Returns the id of a device on which this name has signed in; empty: none. */
  idFor(ctx: Koa.Context, username: string): string;
  /** Notes in the cookie that a name has signed in, or that its owner has opened a mailed link. */
  remember(ctx: Koa.Context, username: string): void;
}

const cookieName = 'husky_device';
const maxNames = 5;
const maxAgeS = 180 * 24 * 3600;
const macBytes = 16;

/** `secret`: the same in all gateways. A new one makes all devices unknown. `secure`: browsers send the cookie over HTTPS only. */
export function createDevices(secret: Buffer, secure: boolean): Devices {
  const macOf = (...parts: readonly string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest().subarray(0, macBytes).toString('base64url');
  const macOfName = (id: string, username: string) => macOf(id, username.toLowerCase());

  function read(ctx: Koa.Context): { readonly id: string; readonly names: readonly string[] } {
    const [, value = ''] = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w.-]{1,300})`).exec(ctx.get('cookie')) ?? [];
    const [id = '', mac, ...names] = value.split('.');
    return id !== '' && mac === macOf(id) ? { id, names } : { id: '', names: [] };
  }

  return {
    idOf: (ctx) => read(ctx).id,
    idFor(ctx, username) {
      const { id, names } = read(ctx);
      return names.includes(macOfName(id, username)) ? id : '';
    },
    remember(ctx, username) {
      const known = read(ctx);
      const id = known.id || randomBytes(16).toString('base64url');
      const name = macOfName(id, username);
      const names = [name, ...known.names.filter((other) => other !== name)].slice(0, maxNames);
      const value = [id, macOf(id), ...names].join('.');
      const attributes = ['Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])];
      ctx.append('Set-Cookie', [`${cookieName}=${value}`, ...attributes].join('; '));
    },
  };
}
