import { join } from 'node:path';
import { CannotStart } from './preflight.ts';

/** Returns the variables that set the clock of a part of `make up`; none: it uses the machine's clock. */
export type ClockOf = (part: string) => Readonly<Record<string, string>>;

/**
 * Reads CLOCKS: `<path of libfaketime>:<folder>`. The file with the name of a part in this folder sets its clock, `dealer-<number>` that of
 * a dealer. `make chaos` changes clocks this way. If CLOCKS is empty, all parts use the machine's clock.
 */
export function readClocks(text: string | undefined): ClockOf {
  if (!text) return () => ({});
  const [library, folder, ...rest] = text.split(':');
  if (!library?.startsWith('/') || !folder?.startsWith('/') || rest.length > 0)
    throw new CannotStart(`CLOCKS must be <path of libfaketime>:<path of a folder>, not ${text}.`);
  const clock = (name: string) => clockVariables(library, join(folder, name));
  const dealers = { DEALER_VARIABLES: JSON.stringify(clock('dealer-{number}')) };
  return (part) => ({ ...clock(part), ...(part === 'pool' ? dealers : {}) });
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
