import { writeSync } from 'node:fs';

/** A failure with a sentence for the participant. `code` is the exit code: 1 what was checked is wrong, 2 input cannot be used. */
export class KitError extends Error {
  override readonly name = 'KitError';
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const standardOutput = 1;

/** Writes an event as one JSON line. Blocks until it is written, so that no event is lost at the end of the process. */
export function send(event: { readonly event: string; readonly [key: string]: unknown }): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(standardOutput, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader has ended: nobody needs the event.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
    }
  }
}
