/** What happens to the stacks after a hand: they are carried into the next one, or every hand starts with the starting stack. */
export const stacksModes = ['carry', 'reset'] as const;
export type StacksMode = (typeof stacksModes)[number];

/** Returns the mode that a stored or sent text names. An empty text, of an earlier release, is 'carry'. Throws RangeError for any other. */
export function parseStacks(text: string): StacksMode {
  if (text === '') return 'carry';
  const mode = stacksModes.find((one) => one === text);
  if (mode === undefined) throw new RangeError(`stacks are 'carry' or 'reset', not '${text.slice(0, 40)}'`);
  return mode;
}
