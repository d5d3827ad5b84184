import { uuidFromHex } from '../process/uuid.ts';

export interface IdRange {
  readonly first: string;
  readonly last: string;
}

/**
 * Returns the first and last uuid with a prefix of hex digits, for a range scan of an index, which LIKE on uuids cannot use.
 * Dashes are ignored. Returns undefined when no uuid has that prefix.
 */
export function idRange(prefix: string): IdRange | undefined {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{0,32}$/.test(digits)) return undefined;
  const id = (fill: string) => uuidFromHex(digits.padEnd(32, fill));
  return { first: id('0'), last: id('f') };
}
