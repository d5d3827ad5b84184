import { vi } from 'vitest';

/** For tests: stands for the worker that computes chances, which happy-dom has not. It never returns a result. */
export class SilentWorker extends EventTarget {
  postMessage = vi.fn();
  terminate = vi.fn();
}
