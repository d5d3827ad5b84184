import type { FieldError } from './errors.ts';

// Deeper than any call needs, but below recursion limits.
const maxLevels = 64;
const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Finds the first part of a value that no service can store: NUL characters and lone surrogates (PostgreSQL refuses them),
 * numbers beyond a double, keys of JavaScript's prototypes, nesting beyond 64 levels. Returns undefined when there is none.
 */
export function findUnstorable(value: unknown): FieldError | undefined {
  const open: { readonly value: unknown; readonly path: string; readonly level: number }[] = [
    { value, path: '', level: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path, level } = next;
    const problem = problemOf(inner, level);
    if (problem !== undefined) return { path, message: problem };
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [key, child] of Object.entries(inner)) {
      const keyProblem = prototypeKeys.has(key) ? `has a key that is not allowed: ${key}` : problemOf(key, 0);
      if (keyProblem !== undefined) return { path, message: keyProblem };
      open.push({ value: child, path: path === '' ? key : `${path}.${key}`, level: level + 1 });
    }
  }
  return undefined;
}

function problemOf(value: unknown, level: number): string | undefined {
  if (level > maxLevels) return `is nested deeper than ${maxLevels} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number that is too large';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
}
