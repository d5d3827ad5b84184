import { DomainError } from '@husky/runtime/rpc/errors';

/** Limits of one user. */
export interface Quota {
  /** Test runs that have not ended. */
  readonly maxTestRuns: number;
  /** Test runs started within 24 hours. */
  readonly maxTestRunsADay: number;
  /** Submissions that the user may keep. */
  readonly maxSubmissions: number;
  /** Uploads within 24 hours. */
  readonly maxUploadsADay: number;
  /** Challenges sent within 24 hours. */
  readonly maxChallengesADay: number;
  /** Hands that trials may play which were started within 24 hours. */
  readonly maxTrialHandsADay: number;
}

export const userNotFound = () => new DomainError('NOT_FOUND', 'no-such-user', 'User not found');

/** Limits set for the event or for one user; absent ones are inherited. */
export type QuotaOverride = { readonly [K in keyof Quota]?: number | undefined };

export const quotaFields = [
  'maxTestRuns',
  'maxTestRunsADay',
  'maxSubmissions',
  'maxUploadsADay',
  'maxChallengesADay',
  'maxTrialHandsADay',
] as const;

const bounds: Readonly<Record<keyof Quota, { readonly max: number; readonly label: string }>> = {
  maxTestRuns: { max: 100, label: 'unfinished test runs' },
  maxTestRunsADay: { max: 10_000, label: 'test runs a day' },
  maxSubmissions: { max: 100, label: 'submissions' },
  maxUploadsADay: { max: 10_000, label: 'uploads a day' },
  maxChallengesADay: { max: 10_000, label: 'challenges a day' },
  maxTrialHandsADay: { max: 10_000_000, label: 'hands of trials a day' },
};

/** Checks limits and returns them. Throws INVALID_ARGUMENT. `min`: 0 for a user (0 allows nothing), 1 for the event. */
export function checkQuota(quota: QuotaOverride, min: 0 | 1): QuotaOverride {
  for (const field of quotaFields) {
    const value = quota[field];
    const { max, label } = bounds[field];
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    const message = `The number of ${label} is between ${min} and ${max.toLocaleString('en-US')}.`;
    throw new DomainError('INVALID_ARGUMENT', 'quota-invalid', message);
  }
  return quota;
}

/** Returns the limits in a message; absent ones are omitted. */
export function quotaOf(message: { readonly [K in keyof Quota]?: number | null | undefined }): QuotaOverride {
  return Object.fromEntries(quotaFields.flatMap((field) => (message[field] == null ? [] : [[field, message[field]]])));
}

/** Converts limits to the format of audit records; null: not set. */
export const auditedQuota = (quota: QuotaOverride) => ({
  max_test_runs: quota.maxTestRuns ?? null,
  max_test_runs_a_day: quota.maxTestRunsADay ?? null,
  max_submissions: quota.maxSubmissions ?? null,
  max_uploads_a_day: quota.maxUploadsADay ?? null,
  max_challenges_a_day: quota.maxChallengesADay ?? null,
  max_trial_hands_a_day: quota.maxTrialHandsADay ?? null,
});
