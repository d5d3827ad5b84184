/**
 * Faults of a bot's decision; each folds. The order is part of the chunk format: append only. A record's `detail` says more: the reason
 * of an 'illegal' action, the message of an 'exception', why a decision had less time than the limit.
 */
export const FAULTS = [
  'timeout',
  'exception',
  'illegal',
  'crash',
  'memory',
  'disabled',
  'protocol',
  'startup',
] as const;
export type Fault = (typeof FAULTS)[number];

const DESCRIPTIONS: Readonly<Record<Fault, string>> = {
  timeout: 'did not answer in time',
  exception: 'raised an exception',
  illegal: 'gave an illegal answer',
  crash: 'stopped running',
  memory: 'went over its memory limit',
  disabled: 'is disabled for the rest of the match',
  protocol: 'broke the protocol',
  startup: 'could not be started',
};

/** Returns the fault of this name, or undefined. */
export function faultNamed(name: string): Fault | undefined {
  return FAULTS.find((fault) => fault === name);
}

/** Describes a fault as a continuation of the bot's name. */
export function describeFault(fault: Fault): string {
  return DESCRIPTIONS[fault];
}

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
