import { join } from 'node:path';
import { CannotStart } from './preflight.ts';

/** Returns variables that give a part of `make up` a clock of its own; empty: it has the machine's. */
export type ClockOf = (part: string) => Readonly<Record<string, string>>;

/**
 * Reads CLOCKS: `<path of libfaketime>:<folder>`. Each part gets the clock of the file with its name in this folder, and the dealers those
 * of `dealer-<number>`. `make chaos` moves the clocks this way. Empty: all parts have the machine's clock.
 */
export function readClocks(text: string | undefined): ClockOf {
  if (!text) return () => ({});
  const [library, folder, ...rest] = text.split(':');
  if (!library?.startsWith('/') || !folder?.startsWith('/') || rest.length > 0)
    throw new CannotStart(`CLOCKS must be <path of libfaketime>:<path of a folder>, not ${text}.`);
  const clock = (name: string) => fakedClock(library, join(folder, name));
  const dealers = { DEALER_VARIABLES: JSON.stringify(clock('dealer-{number}')) };
  return (part) => ({ ...clock(part), ...(part === 'pool' ? dealers : {}) });
}

/**
 * Returns the variables with which a process reads the time from libfaketime (https://github.com/wolfcw/libfaketime): `file` says how far
 * its clock is from the machine's, such as `+3600` (seconds), and is read again every second. As with a real step of the clock, the
 * monotonic clock and timers are not affected.
 */
export const fakedClock = (library: string, file: string): Record<string, string> => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  DONT_FAKE_MONOTONIC: '1',
  // Otherwise each process makes a segment of shared memory, which stays when it is killed (Debian's 0.9.10 makes it anyway).
  FAKETIME_DISABLE_SHM: '1',
});
