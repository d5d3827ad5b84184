/** Thrown if a file is not a valid game; the message is a sentence for the user. */
export class GameFormatError extends Error {
  override readonly name = 'GameFormatError';
}

export type JsonRecord = Record<string, unknown>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

/** Returns an own property of the record; inherited properties such as '__proto__' are not read. */
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

const MAX_CHIPS = 1e12;

/** Returns the value if it is a finite amount of chips of at most 1e12, else null. */
export function asChips(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MAX_CHIPS ? value : null;
}

/** Parses a non-negative integer of at most ten digits, given as number or text; null for anything else. */
export function asId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 1e10 ? value : null;
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : null;
}

/** Returns the entries with numeric keys, sorted by key. Entries with other keys are left out. */
export function numericEntries(record: JsonRecord | null): [number, unknown][] {
  if (record === null) return [];
  return Object.entries(record)
    .map(([key, value]): [number | null, unknown] => [asId(key), value])
    .filter((entry): entry is [number, unknown] => entry[0] !== null)
    .sort((a, b) => a[0] - b[0]);
}
