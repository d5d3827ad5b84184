import { readFileSync } from 'node:fs';
import { messageOf } from '@husky/runtime/errors';
import { retry } from '@husky/runtime/retry';

/** Returns a required environment variable; throws if it is not set or empty. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

/** Returns the URL in the variable `urlName` with the password from the file named by the variable `fileName`. */
export function databaseUrl(urlName: string, fileName: string): string {
  const url = new URL(required(urlName));
  url.password = encodeURIComponent(readFileSync(required(fileName), 'utf8').trimEnd());
  return url.href;
}

/** Retries `work` for up to `minutes` and prints the cause whenever it changes. Does not retry a failed migration. */
export async function retryForMinutes(minutes: number, work: () => Promise<void>): Promise<void> {
  let written = '';
  await retry(work, {
    firstPauseMs: 500,
    maxPauseMs: 500,
    maxMs: minutes * 60_000,
    retryIf: (error) => !messageOf(error).startsWith('Migration '),
    onFailure: (error) => {
      const cause = messageOf(error) || String(error);
      if (cause !== written) process.stdout.write(`waiting: ${cause}\n`);
      written = cause;
    },
  });
}

/** Prints one line and sets exit code 1 when `work` fails. */
export function run(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
