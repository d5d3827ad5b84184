// `node dealer.mjs COMMAND`: reads a request (one JSON object on the first line of standard input) and writes events as JSON lines.
import { commands } from './commands.ts';
import { readRequest } from './request.ts';
import { KitError, send } from './wire.ts';

const internalFault = 1;

async function main(): Promise<void> {
  const name = process.argv[2] ?? '';
  const command = commands.get(name);
  if (command === undefined) throw new KitError(2, `the dealer has no command '${name}'`);
  const stop = new AbortController();
  const request = await readRequest(stop);
  send({ event: 'result', ...(await command(request, stop.signal)) });
}

try {
  await main();
  process.exitCode = 0;
} catch (error) {
  const code = error instanceof KitError ? error.code : internalFault;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && !(error instanceof KitError) ? error.stack : undefined;
  send({ event: 'error', message, code, ...(stack !== undefined && { stack }) });
  process.exitCode = code;
}
// An open standard input would keep the process alive.
process.stdin.destroy();
