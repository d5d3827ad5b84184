import type { Logger } from './logger.ts';

type Level = 'warn' | 'error';

/** Causes told apart at a time; further ones share a line. */
const maxCauses = 100;

/**
 * Returns a function that logs the first problem of a cause at once, and once in `everyMs` how many more there were: a part that is away
 * fails hundreds of requests a second, whose lines would hide all others.
 */
export function createCauseLog(log: Logger, everyMs = 60_000) {
  const more = new Map<string, number>();
  return (level: Level, cause: string, fields: object, message: string): void => {
    const key = more.has(cause) || more.size < maxCauses ? cause : 'other causes';
    const known = more.get(key);
    if (known !== undefined) return void more.set(key, known + 1);
    more.set(key, 0);
    log[level](fields, message);
    const telling = setInterval(() => {
      const count = more.get(key) ?? 0;
      more.delete(key);
      if (count === 0) return clearInterval(telling);
      log[level](`${count} more within ${everyMs / 1000} s: ${key}`);
      more.set(key, 0);
    }, everyMs).unref();
  };
}
