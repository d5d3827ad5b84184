export interface IdRange {
  readonly first: string;
  readonly last: string;
}

/**
 * The uuids that begin with some hex digits lie next to one another in an index, where a LIKE has none: the first and
 * the last of them. Dashes do not count; undefined for what begins no uuid.
 */
export function idRange(begins: string): IdRange | undefined {
  const digits = begins.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{0,32}$/.test(digits)) return undefined;
  const id = (fill: string) => digits.padEnd(32, fill).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { first: id('0'), last: id('f') };
}
