// The code of one hash thread. Hashing blocks the thread, so its priority affects no other work.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@husky/runtime/errors';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashAnswer, HashJob, WorkerSettings } from './hash-workers.ts';

const { options, niceness } = workerData as WorkerSettings;
// On Linux priorities belong to threads, and id 0 is the calling one.
if (niceness > 0 && process.platform === 'linux') setPriority(0, niceness);

function run({ id, stored, password }: HashJob): HashAnswer {
  try {
    return { id, result: stored === undefined ? hashSync(password, options) : verifySync(stored, password) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(run(job)));
