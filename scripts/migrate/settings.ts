import { readFileSync } from 'node:fs';
import { connectionMistake } from '@husky/runtime/database-url';
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

/** Returns the variable WAIT_SECONDS, the time to wait for PostgreSQL; `otherwise` when it is not set. */
export function waitSeconds(otherwise: number): number {
  const seconds = Number(process.env.WAIT_SECONDS || otherwise);
  if (!(seconds > 0)) throw new Error('WAIT_SECONDS must be a number above 0');
  return seconds;
}

const isFinal = (error: unknown) =>
  connectionMistake(error) !== undefined || /^(Migration |The database |The file |The secret )/.test(messageOf(error));

/**
 * Retries `work` for up to `seconds` and prints the cause whenever it changes. Does not retry a failed migration, a newer schema
 * and wrong TLS settings. Throws one sentence, which begins with `failure` when the time is over.
 */
export async function retryForSeconds(
  seconds: number,
  work: () => Promise<void>,
  failure = 'PostgreSQL could not be used',
): Promise<void> {
  let written = '';
  try {
    await retry(work, {
      firstPauseMs: 500,
      maxPauseMs: 500,
      maxMs: seconds * 1000,
      retryIf: (error) => !isFinal(error),
      onFailure: (error) => {
        const cause = messageOf(error) || String(error);
        if (cause !== written) process.stdout.write(`waiting: ${cause}\n`);
        written = cause;
      },
    });
  } catch (error) {
    if (isFinal(error)) throw new Error(connectionMistake(error) ?? messageOf(error));
    throw new Error(`${failure} within ${seconds} s: ${messageOf(error) || String(error)}`);
  }
}

/** Prints one line and sets exit code 1 when `work` fails. */
export function run(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
