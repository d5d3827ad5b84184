import { readFileSync, statSync } from 'node:fs';
import { messageOf } from './errors.ts';

const lookMs = 1000;

/**
 * A file's content as `parse` makes it, read again when the file changes, which is looked for at most once a second.
 * Throws when it cannot be read at first; later, what cannot be read leaves the last good content in place, with one
 * warning a change.
 */
export function watchedFile<T>(path: string, what: string, parse: (text: string) => T): () => T {
  const load = (): T => {
    try {
      return parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new Error(`${what} ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  // A secret's volume swaps a link: size and inode tell what equal times hide.
  const stampOf = (): string | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.mtimeMs} ${stats.ino} ${stats.size}`;
  };
  let stamp = stampOf();
  let value = load();
  let lookedAt = performance.now();
  return () => {
    if (performance.now() - lookedAt < lookMs) return value;
    lookedAt = performance.now();
    const now = stampOf();
    if (now === undefined || now === stamp) return value;
    stamp = now;
    try {
      value = load();
    } catch (error) {
      process.emitWarning(`${messageOf(error)}; what was read before stays in use`);
    }
    return value;
  };
}
