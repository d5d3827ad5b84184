/** Milliseconds between two looks at a list (specification, section 9). Hidden tabs do not poll. */
export const POLL_OWN_JOBS_MS = 15_000;
export const POLL_ADMIN_DASHBOARD_MS = 30_000;
export const POLL_ADMIN_MS = 15_000;
/** The organisers' banner, freeze and window, which nobody should have to reload a page for. */
export const POLL_EVENT_MS = 60_000;
