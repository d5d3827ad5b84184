/**
 * What can be wrong with a bot's decision. The order is part of the chunk format: add at the end only. Every fault folds.
 * `asked` says more: what was wrong with an 'illegal' answer, the message of an 'exception', why time was short.
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

const WORDS: Readonly<Record<Fault, string>> = {
  timeout: 'did not answer in time',
  exception: 'raised an exception',
  illegal: 'gave an illegal answer',
  crash: 'stopped running',
  memory: 'went over its memory limit',
  disabled: 'is disabled for the rest of the match',
  protocol: 'broke the protocol',
  startup: 'could not be started',
};

/** The fault of this name, or undefined. */
export function faultNamed(name: string): Fault | undefined {
  return FAULTS.find((fault) => fault === name);
}

/** A fault in words that go on from the bot's name. */
export function describeFault(fault: Fault): string {
  return WORDS[fault];
}
