import { DomainError } from '@husky/runtime/errors';
import { minimumSize } from './target.ts';

export interface AutoscalingSettings {
  readonly enabled: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly drainSeconds: number;
}

export type AutoscalingChange = { readonly [K in keyof AutoscalingSettings]?: AutoscalingSettings[K] | undefined };

/** What an admin has set; null or undefined: as configured. */
export type StoredSettings = { readonly [K in keyof AutoscalingSettings]: AutoscalingSettings[K] | null };

const leastSeconds = 10;
const mostSeconds = 86_400;

/** What holds. A maximum above what the fleet may have by now counts as that. */
export function effective(
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

/** Throws INVALID_ARGUMENT in one sentence for bounds that cannot be. */
export function checkSettings({ minimum, maximum, drainSeconds }: AutoscalingSettings, maxSize: number): void {
  const refuse = (message: string) => new DomainError('INVALID_ARGUMENT', 'autoscaling-invalid', message);
  if (minimum < minimumSize) throw refuse(`The minimum must be at least ${minimumSize}.`);
  if (maximum > maxSize) throw refuse(`The maximum must be at most ${maxSize}.`);
  if (maximum < minimum) throw refuse('The maximum must not be below the minimum.');
  if (drainSeconds < leastSeconds || drainSeconds > mostSeconds) {
    throw refuse(
      `The backlog must be played within ${leastSeconds} to ${mostSeconds.toLocaleString('en-US')} seconds.`,
    );
  }
}
