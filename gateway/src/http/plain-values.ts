import type { FieldError } from './errors.ts';

// Far beyond what any call needs, far below what recursion over it can stand.
const mostLevels = 64;

/**
 * What no service can keep, wherever in a value it stands: NUL characters and lone surrogates (PostgreSQL refuses them),
 * numbers beyond a double, `__proto__` as a key, and nesting beyond 64 levels. Undefined: nothing of the kind.
 */
export function unstorable(value: unknown): FieldError | undefined {
  const open: { readonly value: unknown; readonly path: string; readonly level: number }[] = [
    { value, path: '', level: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path, level } = next;
    const wrong = wrongWith(inner, level);
    if (wrong !== undefined) return { path, message: wrong };
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [key, child] of Object.entries(inner)) {
      const wrongKey = key === '__proto__' ? 'has a key that is not allowed: __proto__' : wrongWith(key, 0);
      if (wrongKey !== undefined) return { path, message: wrongKey };
      open.push({ value: child, path: path === '' ? key : `${path}.${key}`, level: level + 1 });
    }
  }
  return undefined;
}

function wrongWith(value: unknown, level: number): string | undefined {
  if (level > mostLevels) return `is nested deeper than ${mostLevels} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number that is too large';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
}
