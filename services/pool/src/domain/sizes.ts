import { DomainError } from '@husky/runtime/rpc/errors';
import type { FleetRunner } from './containers.ts';

/** Smallest size of the fleet. */
export const minimumSize = 3;

/** Throws FAILED_PRECONDITION for a size outside of the fleet's bounds. */
export function checkTarget(target: number, maxSize: number): void {
  if (target < minimumSize) {
    throw new DomainError('FAILED_PRECONDITION', 'pool-too-small', `Target size must be at least ${minimumSize}`);
  }
  if (target > maxSize) {
    throw new DomainError('FAILED_PRECONDITION', 'pool-too-large', `Target size must be at most ${maxSize}`);
  }
}

export interface AutoscalingSettings {
  readonly enabled: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly drainSeconds: number;
}

export type AutoscalingChange = { readonly [K in keyof AutoscalingSettings]?: AutoscalingSettings[K] | undefined };

/** Settings saved by an admin; null: as configured. */
export type StoredSettings = { readonly [K in keyof AutoscalingSettings]: AutoscalingSettings[K] | null };

const minSeconds = 10;
const maxSeconds = 86_400;

/** Returns the settings in force: stored ones before configured ones, the bounds limited by `maxSize`. */
export function effectiveSettings(
  stored: StoredSettings,
  configured: AutoscalingSettings,
  maxSize: number,
): AutoscalingSettings {
  const maximum = Math.min(maxSize, stored.maximum ?? configured.maximum);
  return {
    enabled: stored.enabled ?? configured.enabled,
    minimum: Math.min(maximum, stored.minimum ?? configured.minimum),
    maximum,
    drainSeconds: stored.drainSeconds ?? configured.drainSeconds,
  };
}

/** Throws INVALID_ARGUMENT with a sentence for the user when the bounds are invalid. */
export function checkSettings({ minimum, maximum, drainSeconds }: AutoscalingSettings, maxSize: number): void {
  const refuse = (message: string) => new DomainError('INVALID_ARGUMENT', 'autoscaling-invalid', message);
  if (minimum < minimumSize) throw refuse(`The minimum must be at least ${minimumSize}.`);
  if (maximum > maxSize) throw refuse(`The maximum must be at most ${maxSize}.`);
  if (maximum < minimum) throw refuse('The maximum must not be below the minimum.');
  if (drainSeconds < minSeconds || drainSeconds > maxSeconds) {
    throw refuse(`The backlog must be played within ${minSeconds} to ${maxSeconds.toLocaleString('en-US')} seconds.`);
  }
}

/** Message of a scale-up whose runners did not claim within `startMs`. */
export function notReadyMessage(waiting: readonly FleetRunner[], startMs: number): string {
  const reasons = waiting.map(
    (runner) => `${runner.name}: ${runner.problem || 'it has not asked for work yet, see its log'}`,
  );
  return `${waiting.length} runner(s) did not become ready within ${startMs / 1000} s: ${joinFirst(reasons, '; ')}`;
}

/** Message of a scale-down whose runners did not end within `stopMs`. */
export function notStoppedMessage(remaining: readonly FleetRunner[], stopMs: number): string {
  const names = remaining.map(({ name }) => name);
  return `${joinFirst(names, ', ')} did not stop within ${stopMs / 1000} s`;
}

/** Message of a job whose state the database has refused. */
export const notStoredMessage = "The database refused the state of this change. Its reason is in the pool's log.";

const maxNamed = 20;

/** Joins texts for a message: the first `maxNamed` of them, and the number of the others. */
export function joinFirst(texts: readonly string[], separator: string): string {
  const more = texts.length - maxNamed;
  return [...texts.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}
