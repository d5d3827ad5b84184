/** Quotas of a user with their maximum. The minimum is 1 in the event's settings and 0 for a single user. */
export const QUOTA_FIELDS = [
  { name: 'max_test_runs', label: 'Unfinished test runs', max: 100 },
  { name: 'max_test_runs_a_day', label: 'Test runs within 24 hours', max: 10_000 },
  { name: 'max_submissions', label: 'Submissions kept', max: 100 },
  { name: 'max_uploads_a_day', label: 'Uploads within 24 hours', max: 10_000 },
] as const;

export type QuotaName = (typeof QUOTA_FIELDS)[number]['name'];
