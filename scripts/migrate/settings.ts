import { connectionMistake } from '@husky/runtime/database/database-url';
import { retry } from '@husky/runtime/process/retry';
import { messageOf } from '@husky/runtime/rpc/errors';

/** Returns a required environment variable. Throws if it is not set or empty. */
export function requireVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

/** Returns the prefix of the names of a release's objects: FULLNAME, default RELEASE, as the template husky.name of the chart shortens it. */
export const namePrefix = () => process.env.FULLNAME || requireVariable('RELEASE').slice(0, 40).replace(/-$/, '');

const isFinal = (error: unknown) =>
  connectionMistake(error) !== undefined || /^(Migration |The database |The file |The secret )/.test(messageOf(error));

/**
 * Retries `work` for up to `seconds` and prints the cause whenever it changes. Does not retry failed migrations, newer schemas and wrong
 * TLS settings. Throws an Error whose message begins with `failure` if the time expires.
 */
export async function retryForSeconds(
  seconds: number,
  work: () => Promise<void>,
  failure = 'PostgreSQL could not be used',
): Promise<void> {
  try {
    await retry(work, {
      firstPauseMs: 500,
      maxPauseMs: 500,
      maxMs: seconds * 1000,
      retryIf: (error) => !isFinal(error),
      onNewCause: (cause) => void process.stdout.write(`waiting: ${cause}\n`),
    });
  } catch (error) {
    if (isFinal(error)) throw new Error(connectionMistake(error) ?? messageOf(error));
    throw new Error(`${failure} within ${seconds} s: ${messageOf(error) || String(error)}`);
  }
}

/** Prints the message and sets exit code 1 if `work` fails. */
export function run(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
