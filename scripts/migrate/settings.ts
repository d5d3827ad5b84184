import { readFileSync } from 'node:fs';

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

/** Tries `work` until it succeeds or `minutes` have passed; says why it waits whenever the reason changes. */
export async function patiently(minutes: number, work: () => Promise<void>): Promise<void> {
  const until = Date.now() + minutes * 60_000;
  let told = '';
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const why = error instanceof Error ? error.message || error.name : String(error);
      if (Date.now() > until || why.startsWith('Migration ')) throw error;
      if (why !== told) process.stdout.write(`waiting: ${why}\n`);
      told = why;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Ends the process with one line when `work` fails. */
export function run(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
