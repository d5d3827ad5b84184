import { DomainError, type ErrorCode, messageOf } from '@husky/runtime/rpc/errors';

/** `ready`: its packages are stored, or it has none. Only such a submission can be final and play. */
export type SubmissionState = 'ready' | 'preparing' | 'refused';

/** What is done for a submission that is preparing. */
export type PreparationStep = 'waiting' | 'resolving' | 'downloading' | 'packing';

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FAILED_PRECONDITION', 'INVALID_ARGUMENT']);
const firstBackoffMs = 5000;
const maxBackoffMs = 60_000;
const giveUpMs = 30 * 60_000;

/** What follows from a failed try. `afterMs`: pause before the next one. */
export type Verdict =
  | { readonly refused: true; readonly reason: string }
  | { readonly refused: false; readonly reason: string; readonly afterMs: number };

/**
 * Judges a failed try to prepare packages. A refusal of the packages ends it; every other failure is repeated for half an hour.
 * `tries`: number of tries. `failingMs`: since the first failure.
 */
export function preparationVerdict(error: unknown, tries: number, failingMs: number): Verdict {
  const reason = error instanceof DomainError ? messageOf(error) : 'The server has failed to prepare the packages.';
  if (error instanceof DomainError && refusals.has(error.code)) return { refused: true, reason };
  if (failingMs >= giveUpMs) {
    const minutes = giveUpMs / 60_000;
    return {
      refused: true,
      reason: `${reason} It was tried for ${minutes} minutes. Please upload the files again later.`,
    };
  }
  return { refused: false, reason, afterMs: Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, tries - 1)) };
}
