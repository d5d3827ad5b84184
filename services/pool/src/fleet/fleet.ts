import type { FleetRunner } from '../domain/containers.ts';
import type { Leadership } from './leadership.ts';

/** Starts and stops runners. Two implementations: processes of one machine (LocalFleet), pods (KubernetesFleet). */
export interface Fleet {
  /** Why the result of `runners()` may be stale; '' when it is current. */
  readonly problem: string;
  /** Which process may change the fleet. */
  readonly leadership: Leadership;
  /** Resolves when `runners()` has its first result, or the reason why it has none. */
  readonly opened: Promise<void>;
  /** Returns all runners by port, including those that are stopping. */
  runners(): Promise<readonly FleetRunner[]>;
  /**
   * Requests `count` more runners, so that there are `size`. Returns before they run, with their names where these are known in
   * advance. Rejects with an Error whose message is for the administrator.
   */
  start(count: number, size: number): Promise<readonly string[]>;
  /**
   * Stops runners, but keeps at least `size` runners. They hand their matches back. Returns once they are signalled; they leave
   * `runners()` when they have ended. Idempotent; ignores unknown names.
   */
  stop(names: readonly string[], size: number): Promise<void>;
  /** Returns the end of a runner's log, at most `maxBytes` of UTF-8; null for an unknown runner. */
  log(name: string, maxBytes: number): Promise<string | null>;
  /** Ends everything that this process started. */
  close(): Promise<void>;
}

/** The leadership of a fleet that belongs to one process. */
export const soleLeader: Leadership = {
  leading: true,
  problem: '',
  start: (onChange) => onChange(true),
  refresh: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
