import { DomainError } from '@husky/runtime/errors';

/** Limits of one user. */
export interface Quota {
  /** Test runs that have not ended. */
  readonly maxTestRuns: number;
  /** Test runs started within 24 hours. */
  readonly maxTestRunsADay: number;
  /** Submissions kept. */
  readonly maxSubmissions: number;
  /** Uploads within 24 hours. */
  readonly maxUploadsADay: number;
}

/** Limits that were set for the event or for a user; absent ones are inherited. */
export type QuotaOverride = { readonly [K in keyof Quota]?: number | undefined };

export const quotaFields = ['maxTestRuns', 'maxTestRunsADay', 'maxSubmissions', 'maxUploadsADay'] as const;

const bounds: Readonly<Record<keyof Quota, { readonly max: number; readonly label: string }>> = {
  maxTestRuns: { max: 100, label: 'unfinished test runs' },
  maxTestRunsADay: { max: 10_000, label: 'test runs a day' },
  maxSubmissions: { max: 100, label: 'submissions' },
  maxUploadsADay: { max: 10_000, label: 'uploads a day' },
};

/** Returns the same limits, or throws INVALID_ARGUMENT. A user's limit may be 0, which stops the user; the event's may not. */
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

/** The limits of a message; absent ones are left out. */
export function quotaOf(message: { readonly [K in keyof Quota]?: number | null | undefined }): QuotaOverride {
  return Object.fromEntries(quotaFields.flatMap((field) => (message[field] == null ? [] : [[field, message[field]]])));
}

/** The limits as audit records have them; null: not set. */
export const auditedQuota = (quota: QuotaOverride) => ({
  max_test_runs: quota.maxTestRuns ?? null,
  max_test_runs_a_day: quota.maxTestRunsADay ?? null,
  max_submissions: quota.maxSubmissions ?? null,
  max_uploads_a_day: quota.maxUploadsADay ?? null,
});
