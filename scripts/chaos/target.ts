import type { Random } from './random.ts';
import type { Fault, Step } from './schedule.ts';

/** A fault that cannot be made here or at this moment; the message says why. */
export class CannotInject extends Error {}

/** The platform under test with everything that can be done to it. */
export interface Target<F extends Fault> {
  readonly origin: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Sentences: faults that cannot be made here, and why. */
  readonly missing: readonly string[];
  /** Makes a fault happen and resolves when it is over and nothing of it is left but its consequences. Throws CannotInject. */
  inject(fault: F, random: Random): Promise<void>;
  /** Returns the database URL of the superuser. */
  databaseUrl(): string;
  /** Returns whether every part is ready. */
  isReady(): Promise<boolean>;
  /** Stops the platform and removes its data. */
  stop(): Promise<void>;
}

/** Where platforms for runs come from, and which faults exist there. */
export interface Testbed<F extends Fault> {
  /** What a person enters to run it. */
  readonly command: string;
  /** All kinds of faults, for KINDS. */
  readonly kinds: readonly string[];
  /** Default of SHRINK_RUNS. */
  readonly shrinkRuns: number;
  /** How long the platform may be away after a fault is over, and a job may take, before that is a violation. */
  readonly patience: { readonly recoverMs: number; readonly jobMs: number };
  createSchedule(seed: number, steps: number): Step<F>[];
  describe(fault: F): string;
  /** Returns the name under which the report adds up requests that failed during faults of this sort. */
  groupOf(fault: F): string;
  /** Starts a platform without data. `onLine` gets its log. */
  start(onLine: (line: string) => void): Promise<Target<F>>;
}
