import type { Random } from './random.ts';
import type { Fault, Step } from './schedule.ts';

/** Thrown if a fault is not possible on this machine or at this moment. The message is the reason. */
export class CannotInject extends Error {}

/** The platform under test. */
export interface Target<F extends Fault> {
  readonly origin: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Sentences that name the faults that are not possible here, with the reason. */
  readonly missing: readonly string[];
  /** Injects a fault and resolves when it is over, so that only its consequences remain. Throws CannotInject. */
  inject(fault: F, random: Random): Promise<void>;
  /** Returns the database URL of the superuser. */
  databaseUrl(): string;
  /** Returns whether every part is ready. */
  isReady(): Promise<boolean>;
  /** Stops the platform and removes its data. */
  stop(): Promise<void>;
}

/** A kind of platform for runs, and its faults. */
export interface Testbed<F extends Fault> {
  /** The command that runs it, for messages. */
  readonly command: string;
  /** All kinds of faults, for KINDS. */
  readonly kinds: readonly string[];
  /** Default of SHRINK_RUNS. */
  readonly shrinkRuns: number;
  /** Maximum time until the platform is available again after a fault, and maximum duration of a job. */
  readonly patience: { readonly recoverMs: number; readonly jobMs: number };
  createSchedule(seed: number, steps: number): Step<F>[];
  describe(fault: F): string;
  /** Returns the name under which the report counts the failed requests of this fault. */
  groupOf(fault: F): string;
  /** Starts a platform without data. `onLine` receives the lines of its log. */
  start(onLine: (line: string) => void): Promise<Target<F>>;
}
