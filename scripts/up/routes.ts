import { CannotStart } from './preflight.ts';

/** Returns the address that the part `from` uses for `to` (a service, `postgres` or `nats`), which listens on `address`. */
export type RouteOf = (from: string, to: string, address: string) => string;

/**
 * Reads ROUTES: a JSON object `<part> <part>` -> host:port that the first part uses for the second one instead of the address on which it
 * listens. `make chaos` inserts its proxies this way. If ROUTES is empty, all connections are direct.
 */
export function readRoutes(text: string | undefined): RouteOf {
  if (!text) return (_from, _to, address) => address;
  const routes = parse(text);
  return (from, to, address) => routes.get(`${from} ${to}`) ?? address;
}

const hostAndPort = /^[^\s:]+:\d{1,5}$/;

function parse(text: string): Map<string, string> {
  const message = 'ROUTES must be a JSON object such as {"simulation postgres": "127.0.0.1:5000"}.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CannotStart(message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new CannotStart(message);
  const routes = new Map<string, string>();
  for (const [key, address] of Object.entries(value)) {
    if (typeof address !== 'string' || !hostAndPort.test(address) || !/^\S+ \S+$/.test(key))
      throw new CannotStart(message);
    routes.set(key, address);
  }
  return routes;
}
