import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const content = Buffer.from('.');

/**
 * Hides from a seat when another one changed a file. Linux gives a changed file whose time was read a precise new time, and from then on gives no file
 * of the machine an earlier one (since 6.13, Documentation/filesystems/multigrain-ts.rst): a new file in one seat's scratch shows when another seat did so.
 * A precise time taken before each question is later than everything that the other seats did in their turns.
 */
export class FileTimes {
  readonly #path: string;
  #descriptor = -1;

  constructor(runDir: string) {
    this.#path = join(runDir, 'file-times');
  }

  /** Begins to renew: a seat has changed a file. Idempotent. */
  begin(): void {
    if (this.#descriptor < 0) this.#descriptor = openSync(this.#path, 'w');
  }

  /** Takes a precise time, if renewing has begun. */
  renew(): void {
    if (this.#descriptor < 0) return;
    // The second change comes after a look at the time and within the same tick, so it gets a precise one.
    writeSync(this.#descriptor, content, 0, 1, 0);
    fstatSync(this.#descriptor);
    writeSync(this.#descriptor, content, 0, 1, 0);
  }

  /** Stops renewing, after a match. Idempotent. */
  end(): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
    rmSync(this.#path, { force: true });
  }
}
