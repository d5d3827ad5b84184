import { formatNumber, shortId } from '../../lib/format.ts';
import type { Batch } from '../../lib/types.ts';

/** Returns the number of ways to choose k from n. Exact up to 2^53. */
export function combinations(n: number, k: number): number {
  if (!Number.isInteger(n) || !Number.isInteger(k) || k < 0 || n < k) return 0;
  const short = Math.min(k, n - k);
  let ways = 1;
  for (let step = 1; step <= short; step += 1) ways = (ways * (n - short + step)) / step;
  return Math.round(ways);
}

export const TABLE_SIZE = 6;
/** The server refuses more than 20 users, which make 38,760 matches. */
export const MAX_USERS = 20;

/** Returns the text below the roster. */
export function combinationsText(users: number): string {
  return `Will generate ${formatNumber(combinations(users, TABLE_SIZE))} combinations`;
}

export type ParsedMetadata = { value: Record<string, unknown> | null; error: string };

/** Parses metadata. Empty text is valid (null); anything but a JSON object returns an error text. */
export function parseMetadata(text: string): ParsedMetadata {
  if (text.trim() === '') return { value: null, error: '' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { value: null, error: `Invalid JSON format: ${(error as SyntaxError).message}` };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { value: null, error: 'The metadata must be a JSON object' };
  }
  return { value: parsed as Record<string, unknown>, error: '' };
}

/** Formats the remaining time: '2 h 5 min left', '40 s left'; '' while it is unknown. */
export function timeLeftText(seconds: number | null): string {
  if (seconds === null || !(seconds > 0)) return '';
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** Returns a batch's number, such as '#7', or the begin of its id while the number is unknown. */
export function batchName({ batch_number: number, batch_id: id }: Pick<Batch, 'batch_number' | 'batch_id'>): string {
  return number === undefined ? shortId(id) : `#${number}`;
}
