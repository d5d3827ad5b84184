import { DomainError } from '@husky/runtime/rpc/errors';

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
