import { setPriority } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { messageOf } from '../rpc/errors.ts';

interface Numbered<Content> {
  readonly id: number;
  readonly content: Content;
}
type Outcome<Result> = { readonly id: number } & ({ readonly result: Result } | { readonly error: string });

interface Pending<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

const defaultIdleMs = 60_000;

/** A pool of threads that run one function. They do not keep the process alive. */
export interface Threads<Job, Result> {
  readonly count: number;
  /** Runs a job in the thread with the fewest jobs. Rejects with the message of the job's error, or if its thread ends. */
  run(job: Job): Promise<Result>;
  /** Ends all threads; pending jobs are rejected. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates `count` threads of `code`, a module that calls serveThread. A job starts its thread, which ends `idleMs` after its last job.
 * `niceness` is the Linux scheduling priority of the threads, 0 (as the process) to 19 (lowest).
 */
export function startThreads<Job, Result>(
  code: URL,
  { count, niceness, idleMs = defaultIdleMs }: { readonly count: number; readonly niceness: number; idleMs?: number },
): Threads<Job, Result> {
  const threads = Array.from({ length: count }, () => startThread<Job, Result>(code, niceness, idleMs));
  return {
    count,
    run: (job) => threads.reduce((a, b) => (b.load() < a.load() ? b : a)).run(job),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function startThread<Job, Result>(code: URL, niceness: number, idleMs: number) {
  const pending = new Map<number, Pending<Result>>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function startWorker(): Worker {
    const thread = new Worker(code, { workerData: { niceness } });
    thread.unref();
    thread.on('message', (outcome: Outcome<Result>) => {
      const job = pending.get(outcome.id);
      pending.delete(outcome.id);
      if ('error' in outcome) job?.reject(new Error(outcome.error));
      else job?.resolve(outcome.result);
      if (pending.size === 0) idle = setTimeout(() => void end(), idleMs).unref();
    });
    thread.on('error', (error: Error) => handleExit(thread, error));
    thread.on('exit', () => handleExit(thread, new Error('the thread ended')));
    return thread;
  }

  function handleExit(thread: Worker, error: Error): void {
    if (worker !== thread) return;
    worker = undefined;
    for (const job of pending.values()) job.reject(error);
    pending.clear();
  }

  async function end(): Promise<void> {
    const thread = worker;
    worker = undefined;
    await thread?.terminate();
  }

  return {
    load: () => pending.size,
    run(content: Job): Promise<Result> {
      clearTimeout(idle);
      worker ??= startWorker();
      const thread = worker;
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        thread.postMessage({ id, content } satisfies Numbered<Job>);
      });
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

/** Runs the jobs of startThreads in this thread, one after another. `run` may block: the thread does nothing else. */
export function serveThread<Job, Result>(run: (job: Job) => Result): void {
  const { niceness } = workerData as { readonly niceness: number };
  // On Linux priorities belong to threads, and id 0 is the calling one.
  if (niceness > 0 && process.platform === 'linux') setPriority(0, niceness);
  parentPort?.on('message', ({ id, content }: Numbered<Job>) => {
    let outcome: Outcome<Result>;
    try {
      outcome = { id, result: run(content) };
    } catch (error) {
      outcome = { id, error: messageOf(error) };
    }
    parentPort?.postMessage(outcome);
  });
}
