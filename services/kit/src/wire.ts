import { writeSync } from 'node:fs';

/** A failure with a sentence for the participant. `code` is the exit code: 1 for a failed check, 2 for input that cannot be used. */
export class KitError extends Error {
  override readonly name = 'KitError';
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const fileSystemProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than this process may write',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'the file system is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

/** Returns the message and exit code of an error: of a KitError its own, of a file system error 2, of any other 1 with its stack. */
export function toKitError(error: unknown): { message: string; code: number; stack?: string | undefined } {
  if (error instanceof KitError) return { message: error.message, code: error.code };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const { code, path } = error as NodeJS.ErrnoException;
  const problem = fileSystemProblems[code ?? ''];
  if (problem !== undefined) return { message: path === undefined ? problem : `${path}: ${problem}`, code: 2 };
  return { message, code: 1, stack };
}

const standardOutput = 1;

/** Writes an event as one JSON line to standard output. Blocks until it is written, so that no event is lost at the end of the process. */
export function send(event: { readonly event: string; readonly [key: string]: unknown }): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(standardOutput, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader has ended, so the event is dropped.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
    }
  }
}
