/** Milliseconds between polls of a list. Hidden tabs do not poll. */
export const POLL_OWN_JOBS_MS = 15_000;
/** For a test run that the user has just started. */
export const POLL_TEST_RUN_MS = 1_500;
export const POLL_ADMIN_DASHBOARD_MS = 30_000;
export const POLL_ADMIN_MS = 15_000;
/** Banner, freeze and tournament window; changes show without a reload. */
export const POLL_EVENT_MS = 60_000;
