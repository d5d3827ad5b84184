import { describeFault, faultNamed } from './fault.ts';

/** One bot's faults in a match, as in the message SeatFaults. */
export interface BotFaults {
  readonly decisions: number;
  readonly counts: readonly { readonly count: number }[];
  readonly failedCalls: number;
  readonly neverStarted: boolean;
  readonly outKind: string;
  readonly firstKind: string;
}

/** Returns the number of decisions that failed. */
export function failedDecisions({ counts }: Pick<BotFaults, 'counts'>): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Summarizes a bot's faults as a continuation of its name: 'failed 9 of 9 decisions: ...'. `firstText` is the first fault's own text;
 * without it the kind of the fault is described. Returns '' without faults.
 */
export function summarizeFaults(faults: BotFaults, firstText = ''): string {
  const failed = failedDecisions(faults);
  const { failedCalls, outKind } = faults;
  const first = faultNamed(faults.firstKind);
  const out = faultNamed(outKind);
  const why = firstText === '' && first !== undefined ? `it ${describeFault(first)}` : firstText;
  const because = why === '' ? '' : `: ${why}`;
  const calls = `${failedCalls} ${failedCalls === 1 ? 'call' : 'calls'} of its other methods`;
  if (faults.neverStarted) return firstText === '' ? 'never started' : `never started: ${firstText}`;
  if (failed > 0) {
    const decisions = `failed ${failed} of ${faults.decisions} ${faults.decisions === 1 ? 'decision' : 'decisions'}`;
    return `${decisions}${failedCalls > 0 ? ` and ${calls}` : ''}${because}`;
  }
  if (failedCalls > 0) return `raised an exception in ${calls}${firstText === '' ? '' : `: ${firstText}`}`;
  if (out !== undefined) return `stopped playing${because === '' ? `: it ${describeFault(out)}` : because}`;
  return '';
}
