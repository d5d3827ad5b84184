// What `make chaos` changes of `make up`: the addresses between the parts, and their clocks.
import { join } from 'node:path';
import { z } from 'zod';
import { CannotStart } from './preflight.ts';

/** Returns the address that the part `from` uses for `to` (a service, `postgres` or `nats`), which listens on `address`. */
export type RouteOf = (from: string, to: string, address: string) => string;

/** Returns the variables that set the clock of a part of `make up`; none: it uses the machine's clock. */
export type ClockOf = (part: string) => Readonly<Record<string, string>>;

const absolute = z.string().startsWith('/');
const schema = z.strictObject({
  routes: z.record(z.string().regex(/^\S+ \S+$/), z.string().regex(/^[^\s:]+:\d{1,5}$/)).default({}),
  clocks: z.strictObject({ library: absolute, folder: absolute }).optional(),
});

export type Chaos = z.input<typeof schema>;

/**
 * Reads CHAOS, a JSON object. `routes`: `<part> <part>` -> host:port that the first part uses for the second one instead of the address on
 * which it listens. `clocks`: the path of libfaketime, and a folder, in which the file with the name of a part sets its clock, and
 * `dealer-<number>` that of a dealer. Throws CannotStart.
 */
export function readChaos(text = ''): { routeOf: RouteOf; clockOf: ClockOf } {
  const { routes, clocks } = parse(text);
  return {
    routeOf: (from, to, address) => routes[`${from} ${to}`] ?? address,
    clockOf(part) {
      if (clocks === undefined) return {};
      const clock = (name: string) => clockVariables(clocks.library, join(clocks.folder, name));
      const dealers = { DEALER_VARIABLES: JSON.stringify(clock('dealer-{number}')) };
      return { ...clock(part), ...(part === 'pool' ? dealers : {}) };
    },
  };
}

function parse(text: string) {
  try {
    return schema.parse(JSON.parse(text || '{}'));
  } catch {
    throw new CannotStart(
      'CHAOS must be a JSON object such as {"routes": {"simulation postgres": "127.0.0.1:5000"}, "clocks": {"library": "/lib/faketime.so", "folder": "/clocks"}}.',
    );
  }
}

/**
 * Returns the variables that make a process use libfaketime (https://github.com/wolfcw/libfaketime). `file` contains the difference to the
 * machine's clock in seconds, such as `+3600`, and is read every second. The monotonic clock and timers are not changed, as with a real
 * step of the clock.
 */
export const clockVariables = (library: string, file: string): Record<string, string> => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  DONT_FAKE_MONOTONIC: '1',
  // Without it each process creates a segment of shared memory, which remains if it is killed (Debian's 0.9.10 creates it anyway).
  FAKETIME_DISABLE_SHM: '1',
});
