/** The pool never shrinks below this. */
export const MIN_POOL_SIZE = 3;

/** The wanted size, or null where it is no whole number of at least 3. */
export function readTargetSize(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= MIN_POOL_SIZE ? value : null;
}
