import type { Recorded } from './history.ts';

/** Refusals of calls whose effect may not be visible yet: a match that has just finished cannot be downloaded at once. */
const temporary = [404, 409];

/**
 * Checks that calls, which are all valid, are refused only with 429 or 503, because another status would mislead the caller, and that no
 * call returns 500: faults are expected, so their errors have a status of their own.
 */
export function checkStatuses(calls: readonly Recorded[]): string[] {
  return calls.flatMap((recorded) => {
    const { call, status, outcome, detail } = recorded;
    const name = call === 'other' ? recorded.request : call;
    if (status === 500) return [`a valid ${name} failed with 500`];
    if (outcome !== 'refused' || status === 429 || status === 503) return [];
    if (call === 'other' && temporary.includes(status)) return [];
    return [`a valid ${name} was refused with ${status}: ${detail ?? ''}`];
  });
}
