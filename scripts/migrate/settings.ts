import { readFileSync } from 'node:fs';
import { messageOf } from '@husky/runtime/errors';
import { retry } from '@husky/runtime/retry';

/** A variable of the Job that must be there. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

/** `urlName`'s URL with the password in the file that `fileName` names. */
export function databaseUrl(urlName: string, fileName: string): string {
  const url = new URL(required(urlName));
  url.password = encodeURIComponent(readFileSync(required(fileName), 'utf8').trimEnd());
  return url.href;
}

/** Retries `work` for up to `minutes`; writes why it waits whenever the cause changes. A migration that fails is final. */
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

/** Ends the process with one line when `work` fails. */
export function run(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
