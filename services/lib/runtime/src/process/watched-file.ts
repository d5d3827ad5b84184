import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../rpc/errors.ts';

const pollMs = 1000;

/**
 * Returns a function that returns the parsed content of a file. It checks at most once a second whether the file has changed and
 * then reads it again. Throws when the file is unusable at the first read. If it is unusable later, the function keeps returning the
 * last usable content and emits a warning.
 */
export function watchedFile<T>(path: string, what: string, parse: (text: string) => T): () => T {
  const load = (): T => {
    try {
      return parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new Error(`${what} ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  // A secret volume replaces a symbolic link, possibly by a file with the same time; size and inode then reveal the change.
  const stampOf = (): string | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.mtimeMs} ${stats.ino} ${stats.size}`;
  };
  let stamp = stampOf();
  let value = load();
  let checkedAt = performance.now();
  return () => {
    if (performance.now() - checkedAt < pollMs) return value;
    checkedAt = performance.now();
    const now = stampOf();
    if (now === undefined || now === stamp) return value;
    stamp = now;
    try {
      value = load();
    } catch (error) {
      process.emitWarning(`${messageOf(error)}; the previous content stays in use`);
    }
    return value;
  };
}
