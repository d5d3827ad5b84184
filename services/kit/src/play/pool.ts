import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { KitError } from '../wire.ts';
import type { PlannedMatch } from './plan.ts';
import type { PlayRequest } from './request.ts';
import type { MatchSummary } from './summary.ts';
import type { PlayOrder, PlayReport, PlayWorkerData, Sandbox } from './worker.ts';

/** Time for a worker to end its bots and its seat host. After it, the thread is terminated, and the bots end with their lifeline. */
const stopTimeoutMs = 7000;

export interface PoolHooks {
  onSandbox(sandbox: Sandbox): void;
  /** Hands done and planned, over all matches. */
  onHands(done: number, total: number): void;
}

interface Task {
  readonly plan: PlannedMatch;
  readonly folder: string | null;
}

/** Plays matches on `request.jobs` worker threads, each with a seat host of its own. */
export class PlayPool {
  readonly #request: PlayRequest;
  readonly #folder: string;
  readonly #hooks: PoolHooks;
  readonly #handsDone = new Map<number, number>();
  #total = 0;
  #sandboxKnown = false;

  constructor(request: PlayRequest, folder: string, hooks: PoolHooks) {
    this.#request = request;
    this.#folder = folder;
    this.#hooks = hooks;
  }

  /** Plays all matches and returns their summaries in order. Ends all workers at the first failure, or when `stop` aborts. */
  async play(tasks: readonly Task[], stop: AbortSignal): Promise<MatchSummary[]> {
    stop.throwIfAborted();
    const waiting = [...tasks];
    const done = new Map<number, MatchSummary>();
    this.#total = tasks.reduce((sum, { plan }) => sum + plan.settings.hands, 0);
    const outcome = Promise.withResolvers<void>();
    const onStop = () => outcome.reject(new KitError(130, 'stopped'));
    stop.addEventListener('abort', onStop);
    const workers = Array.from({ length: Math.min(this.#request.jobs, tasks.length) }, (_, number) => {
      const workerData: PlayWorkerData = {
        task: 'play',
        request: this.#request,
        runDir: join(this.#folder, String(number)),
      };
      // The entry script of the process: one bundled file, or src/main.ts of a clone.
      const worker = new Worker(process.argv[1] as string, { workerData, stdin: true });
      const next = () => {
        const task = waiting.shift();
        if (task !== undefined) worker.postMessage({ type: 'match', ...task } satisfies PlayOrder);
      };
      worker.on('message', (report: PlayReport) => {
        if (report.type === 'failed') outcome.reject(failureOf(report));
        else if (report.type === 'hands') this.#progress(report.index, report.done);
        else {
          if (report.type === 'done') {
            done.set(report.summary.index, report.summary);
            // A match that ended early counts as done.
            this.#progress(report.summary.index, tasks[report.summary.index]?.plan.settings.hands ?? 0);
            if (done.size === tasks.length) outcome.resolve();
          } else this.#ready(report.sandbox);
          next();
        }
      });
      worker.on('error', (error) => outcome.reject(error));
      worker.on('exit', () => outcome.reject(new Error('a worker ended before its matches were played')));
      return worker;
    });
    try {
      await outcome.promise;
      return [...done].sort(([a], [b]) => a - b).map(([, summary]) => summary);
    } finally {
      stop.removeEventListener('abort', onStop);
      await Promise.all(workers.map(endWorker));
    }
  }

  #ready(sandbox: Sandbox): void {
    if (!this.#sandboxKnown) this.#hooks.onSandbox(sandbox);
    this.#sandboxKnown = true;
  }

  #progress(index: number, hands: number): void {
    this.#handsDone.set(index, hands);
    this.#hooks.onHands(
      [...this.#handsDone.values()].reduce((sum, one) => sum + one, 0),
      this.#total,
    );
  }
}

function failureOf({ message, code, stack }: Extract<PlayReport, { type: 'failed' }>): Error {
  const error = code === 1 ? new Error(message) : new KitError(code, message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

async function endWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const ended = once(worker, 'exit');
  worker.postMessage({ type: 'stop' } satisfies PlayOrder);
  const timer = setTimeout(() => void worker.terminate(), stopTimeoutMs);
  await ended.finally(() => clearTimeout(timer));
}
