/** A value of a file that is not the recomputed one. `path` names it with dots: `playerMoney.finalDelta.3`. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/**
 * Returns the first value of `found` that is not the one of `expected`, or null. Keys that only `found` has are added to `unknown`, because a
 * later release may write more; paths that are `optional` may be missing, because an earlier one did not write them.
 */
export function firstDifference(
  expected: unknown,
  found: unknown,
  { unknown, optional = () => false }: { readonly unknown: Set<string>; readonly optional?: (path: string) => boolean },
  path = '',
): Difference | null {
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found))
    return Object.is(expected, found) ? null : { path, expected, found };
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const isList = Array.isArray(expected);
  for (const key of Object.keys(found)) {
    if (Object.hasOwn(expected, key)) continue;
    // A seat, an id, a name or an element that does not exist is wrong; another key may be of a later release.
    if (isList || /^\d+$/.test(key) || path === 'usernameMapping')
      return { path: at(key), expected: undefined, found: found[key] };
    unknown.add(at(key));
  }
  for (const [key, value] of Object.entries(expected)) {
    if (!Object.hasOwn(found, key) && optional(at(key))) continue;
    const difference = firstDifference(value, found[key], { unknown, optional }, at(key));
    if (difference !== null) return difference;
  }
  return null;
}

/** Shows a value in a sentence. */
export function shown(value: unknown): string {
  if (value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
