import { DomainError } from '@husky/runtime/rpc/errors';

/** Limits of one user. */
export interface Quota {
  /** Submissions that the user may keep. */
  readonly maxSubmissions: number;
  /** Uploads within 24 hours. */
  readonly maxUploadsADay: number;
}

/** What a user has used of a quota. */
export interface QuotaUse {
  readonly kept: number;
  /** Time (ms since the epoch) of the upload whose 24 hours must pass before the next one; undefined: none. */
  readonly blockingUpload: number | undefined;
}

export const dayMs = 24 * 3_600_000;

/** Throws if one more upload would exceed the quota. The message says what the user can do. */
export function refuseAboveQuota(quota: Quota, use: QuotaUse, now: number): void {
  const { maxSubmissions, maxUploadsADay } = quota;
  if (maxSubmissions === 0 || maxUploadsADay === 0) {
    const message = 'The organisers allow you no uploads at present.';
    throw new DomainError('FAILED_PRECONDITION', 'no-uploads', message);
  }
  if (use.kept >= maxSubmissions) {
    const kept = maxSubmissions === 1 ? '1 submission' : `${maxSubmissions} submissions`;
    const message = `You can keep at most ${kept}. Delete one first.`;
    throw new DomainError('FAILED_PRECONDITION', 'too-many-submissions', message);
  }
  const nextUpload = use.blockingUpload === undefined ? now : use.blockingUpload + dayMs;
  if (nextUpload <= now) return;
  const uploads = maxUploadsADay === 1 ? 'your one upload' : `all of your ${maxUploadsADay} uploads`;
  const message = `You have used ${uploads} of 24 hours. The next one is possible ${minuteOf(nextUpload)}.`;
  const retryAfterS = Math.ceil((nextUpload - now) / 1000);
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-uploads-today', message, { retryAfterS });
}

/** "at 14:05 UTC on 2026-11-22", rounded up to the minute. */
function minuteOf(ms: number): string {
  const text = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `at ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
}
