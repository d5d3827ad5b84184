import { CannotStart } from './preflight.ts';

/** Returns the address at which the part `from` reaches `to` (a service, `postgres` or `nats`), which listens on `address`. */
export type RouteOf = (from: string, to: string, address: string) => string;

/**
 * Reads ROUTES: a JSON object from `<part> <part>` to the host:port that the first part uses for the second one instead of its
 * own address. `make chaos` puts its proxies between the parts this way. Empty: every part is reached directly.
 */
export function readRoutes(text: string | undefined): RouteOf {
  if (!text) return (_from, _to, address) => address;
  const routes = parse(text);
  return (from, to, address) => routes.get(`${from} ${to}`) ?? address;
}

const hostAndPort = /^[^\s:]+:\d{1,5}$/;

function parse(text: string): Map<string, string> {
  const refusal = 'ROUTES must be a JSON object such as {"simulation postgres": "127.0.0.1:5000"}.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CannotStart(refusal);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new CannotStart(refusal);
  const routes = new Map<string, string>();
  for (const [key, address] of Object.entries(value)) {
    if (typeof address !== 'string' || !hostAndPort.test(address) || !/^\S+ \S+$/.test(key))
      throw new CannotStart(refusal);
    routes.set(key, address);
  }
  return routes;
}
