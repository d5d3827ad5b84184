/**
 * What can be wrong with a bot's decision. The order is part of the chunk format: add at the end only. Every fault folds.
 * The engine's reason of an 'illegal' one and the message of an 'exception' go into `asked`.
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
  illegal: 'answered with an illegal action',
  crash: 'ended unexpectedly',
  memory: 'went over its memory limit',
  disabled: 'is disabled for the rest of the match',
  protocol: 'sent a message that is none',
  startup: 'could not be started',
};

/** A fault in words that go on from the bot's name. */
export function describeFault(fault: Fault): string {
  return WORDS[fault];
}
