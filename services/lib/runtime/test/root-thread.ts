// The code of a thread for threads.test.ts: computes square roots, returns the thread's id for 0, throws below 0, ends for NaN and blocks for Infinity.
import { threadId } from 'node:worker_threads';
import { serveThread } from '../src/process/threads.ts';

serveThread((square: number) => {
  if (Number.isNaN(square)) process.exit(1);
  if (square === Number.POSITIVE_INFINITY) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (square < 0) throw new Error(`${square} has no root`);
  return square === 0 ? threadId : Math.sqrt(square);
});
