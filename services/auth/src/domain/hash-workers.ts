import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

export interface WorkerSettings {
  readonly options: Options;
  /** 0: as the process; up to 19: yields to everybody else. */
  readonly niceness: number;
}

/** Hashes the password, or compares it with a stored hash. */
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

interface Open {
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that hash in turn; they hold no process back from ending. */
export interface HashWorkers {
  run(password: string, stored?: string): Promise<string | boolean>;
  close(): Promise<void>;
}

export function hashWorkers(count: number, settings: WorkerSettings): HashWorkers {
  const threads = Array.from({ length: count }, () => hashThread(settings));
  let turn = 0;
  return {
    run: (password, stored) => {
      turn = (turn + 1) % count;
      // The one with the least to do; among equals in turn.
      const order = [...threads.slice(turn), ...threads.slice(0, turn)];
      const free = order.reduce((a, b) => (b.load() < a.load() ? b : a));
      return free.run(password, stored);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function hashThread(settings: WorkerSettings) {
  const open = new Map<number, Open>();
  let worker: Worker | undefined;
  let lastId = 0;

  function started(): Worker {
    const thread = new Worker(new URL('./hash-worker.ts', import.meta.url), { workerData: settings });
    thread.unref();
    thread.on('message', ({ id, result, error }: HashAnswer) => {
      const asked = open.get(id);
      open.delete(id);
      if (result === undefined) asked?.reject(new Error(`A password could not be hashed: ${error}`));
      else asked?.resolve(result);
    });
    thread.on('error', (error: Error) => gone(thread, error));
    thread.on('exit', () => gone(thread, new Error('The thread that hashes has ended')));
    return thread;
  }

  function gone(thread: Worker, error: Error): void {
    if (worker !== thread) return;
    worker = undefined;
    for (const asked of open.values()) asked.reject(error);
    open.clear();
  }

  return {
    load: () => open.size,
    run(password: string, stored: string | undefined): Promise<string | boolean> {
      worker ??= started();
      const thread = worker;
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        thread.postMessage({ id, stored, password } satisfies HashJob);
      });
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}
