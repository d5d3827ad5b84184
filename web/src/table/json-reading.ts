/** A data problem that makes a file no game; the message is a sentence for the person who chose the file. */
export class GameFormatError extends Error {
  override readonly name = 'GameFormatError';
}

export type JsonRecord = Record<string, unknown>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

/** An own field only: a file cannot reach what every object inherits. */
export function field(record: JsonRecord | null, name: string): unknown {
  return record !== null && Object.hasOwn(record, name) ? record[name] : undefined;
}

export function recordField(record: JsonRecord | null, name: string): JsonRecord | null {
  return asRecord(field(record, name));
}

export function listField(record: JsonRecord | null, name: string): unknown[] {
  const value = field(record, name);
  return Array.isArray(value) ? value : [];
}

const MOST_CHIPS = 1e12;

/** A finite amount of chips within bounds, else null. */
export function asChips(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MOST_CHIPS ? value : null;
}

/** A whole number of at most ten digits, as a number or as text, else null. */
export function asId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 1e10 ? value : null;
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : null;
}

/** Entries with a numeric key, in the order of the keys; other keys (such as '__proto__') are left out. */
export function numericEntries(record: JsonRecord | null): [number, unknown][] {
  if (record === null) return [];
  return Object.entries(record)
    .map(([key, value]): [number | null, unknown] => [asId(key), value])
    .filter((entry): entry is [number, unknown] => entry[0] !== null)
    .sort((a, b) => a[0] - b[0]);
}
