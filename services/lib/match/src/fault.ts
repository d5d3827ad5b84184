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
