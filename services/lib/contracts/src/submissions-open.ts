/**
 * The rule of whether uploads, final marks, test runs and new matches are accepted, and what the site says about it. Only a freeze closes them: the
 * tournament's window is shown, not enforced.
 */
export function submissionsOf({ frozen }: { readonly frozen: boolean }): { open: boolean; reason: string } {
  return frozen
    ? { open: false, reason: 'Uploads and test runs are refused while the event is frozen.' }
    : { open: true, reason: 'Uploads and test runs are accepted.' };
}

/** The event as specified: its banner, which follows another window if the organisers set one, and its window. */
export const specifiedEvent = {
  banner: 'This test phase is the development phase. The official start is in July 2025.',
  start: Date.parse('2025-07-12T00:00:00-07:00'),
  end: Date.parse('2025-07-21T23:59:59-07:00'),
} as const;
