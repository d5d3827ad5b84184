/**
 * The rule of whether uploads, final marks, test runs and new matches are accepted, and what the site says about it. Only a freeze closes them: the
 * tournament's window is shown, not enforced.
 */
export function submissionsOf({ frozen }: { readonly frozen: boolean }): { open: boolean; reason: string } {
  return frozen
    ? { open: false, reason: 'Uploads and test runs are refused while the event is frozen.' }
    : { open: true, reason: 'Uploads and test runs are accepted.' };
}
