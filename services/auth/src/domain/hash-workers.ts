import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

export interface WorkerSettings {
  readonly options: Options;
  /** Linux scheduling priority of the threads, 0 (as the process) to 19 (lowest). */
  readonly niceness: number;
}

/** Hashes the password, or with `stored` verifies it. */
export interface HashJob {
  readonly id: number;
  readonly stored?: string | undefined;
  readonly password: string;
}

export interface HashAnswer {
  readonly id: number;
  readonly result?: string | boolean;
  readonly error?: string;
}

interface PendingJob {
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** A pool of hash threads. They do not keep the process alive. */
export interface HashWorkers {
  /** Returns the hash, or with `stored` whether the password matches. */
  run(password: string, stored?: string): Promise<string | boolean>;
  close(): Promise<void>;
}

/** Creates `count` threads, each started by its first job and restarted after a crash. */
export function hashWorkers(count: number, settings: WorkerSettings): HashWorkers {
  const threads = Array.from({ length: count }, () => hashThread(settings));
  let next = 0;
  return {
    run: (password, stored) => {
      next = (next + 1) % count;
      // The thread with the fewest jobs; round-robin among equals.
      const order = [...threads.slice(next), ...threads.slice(0, next)];
      const idlest = order.reduce((a, b) => (b.load() < a.load() ? b : a));
      return idlest.run(password, stored);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function hashThread(settings: WorkerSettings) {
  const pending = new Map<number, PendingJob>();
  let worker: Worker | undefined;
  let lastId = 0;

  function startWorker(): Worker {
    const thread = new Worker(new URL('./hash-worker.ts', import.meta.url), { workerData: settings });
    thread.unref();
    thread.on('message', ({ id, result, error }: HashAnswer) => {
      const job = pending.get(id);
      pending.delete(id);
      if (result === undefined) job?.reject(new Error(`A password could not be hashed: ${error}`));
      else job?.resolve(result);
    });
    thread.on('error', (error: Error) => handleExit(thread, error));
    thread.on('exit', () => handleExit(thread, new Error('hash thread ended')));
    return thread;
  }

  function handleExit(thread: Worker, error: Error): void {
    if (worker !== thread) return;
    worker = undefined;
    for (const job of pending.values()) job.reject(error);
    pending.clear();
  }

  return {
    load: () => pending.size,
    run(password: string, stored: string | undefined): Promise<string | boolean> {
      worker ??= startWorker();
      const thread = worker;
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        thread.postMessage({ id, stored, password } satisfies HashJob);
      });
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}
