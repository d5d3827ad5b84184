// `node dealer.mjs COMMAND`: reads a request (one JSON object on the first line of standard input) and writes events as JSON lines.
import { isMainThread } from 'node:worker_threads';
import { commands } from './commands.ts';
import { runPlayWorker } from './play/worker.ts';
import { readRequest } from './request.ts';
import { KitError, send, toKitError } from './wire.ts';

async function main(): Promise<void> {
  const name = process.argv[2] ?? '';
  const command = commands.get(name);
  if (command === undefined) throw new KitError(2, `the dealer has no command '${name}'`);
  const stop = new AbortController();
  const request = await readRequest(stop);
  send({ event: 'result', ...(await command(request, stop.signal)) });
}

async function run(): Promise<void> {
  try {
    await main();
    process.exitCode = 0;
  } catch (error) {
    const { message, code, stack } = toKitError(error);
    send({ event: 'error', message, code, ...(stack !== undefined && { stack }) });
    process.exitCode = code;
  }
  // Otherwise an open standard input keeps the process alive.
  process.stdin.destroy();
}

// Commands that use several cores start this script again in worker threads.
if (isMainThread) await run();
else await runPlayWorker();
