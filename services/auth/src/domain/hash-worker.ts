// A thread that hashes. Hashing blocks it, so its priority is its own: nobody else's.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@husky/runtime/errors';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashAnswer, HashJob, WorkerSettings } from './hash-workers.ts';

const { options, niceness } = workerData as WorkerSettings;
// Linux keeps priorities by thread, and 0 is this one.
if (niceness > 0 && process.platform === 'linux') setPriority(0, niceness);

function done({ id, stored, password }: HashJob): HashAnswer {
  try {
    return { id, result: stored === undefined ? hashSync(password, options) : verifySync(stored, password) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(done(job)));
