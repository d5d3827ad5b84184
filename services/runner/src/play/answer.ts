const EXCEPTION = 0;
/** Kind of an answer whose bot returned something that is no action with an amount. */
export const NO_ACTION = -1;

/** What a seat's line says: an answer to question `seq`; `amount` is a text where there is no action (EXCEPTION, NO_ACTION). */
export interface Answer {
  readonly seq: number;
  readonly kind: number;
  readonly amount: number | string;
}

/** The first line of a seat. */
export interface Ready {
  readonly ready: boolean;
  readonly loadMs: number;
  readonly error: string;
}

/** Null for anything that is no answer line. */
export function parseAnswer(line: string): Answer | null {
  const value = parse(line);
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [seq, kind, amount] = value as unknown[];
  if (typeof seq !== 'number' || typeof kind !== 'number') return null;
  if (kind === EXCEPTION || kind === NO_ACTION ? typeof amount !== 'string' : typeof amount !== 'number') return null;
  return { seq, kind, amount: amount as number | string };
}

/** A call other than get_action that raised, told in the hand of this number. */
export interface FailedCall {
  readonly method: string;
  readonly text: string;
  readonly hand: number;
}

const methods: readonly unknown[] = ['set_id', 'on_start', 'on_round_start', 'on_end_round', 'on_end_game'];

/** Null for anything that is no line `["!", method, text, hand]`. */
export function parseFailedCall(line: string): FailedCall | null {
  const value = parse(line);
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [mark, method, text, hand] = value as unknown[];
  if (mark !== '!' || !methods.includes(method) || typeof text !== 'string') return null;
  return Number.isSafeInteger(hand) && (hand as number) > 0
    ? { method: method as string, text, hand: hand as number }
    : null;
}

/** Null for anything that is no ready line. */
export function parseReady(line: string): Ready | null {
  const value = parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { ready, load_ms: loadMs, error, line: at } = value as Record<string, unknown>;
  if (ready === true && typeof loadMs === 'number') return { ready, loadMs, error: '' };
  if (ready !== false || typeof error !== 'string') return null;
  return { ready, loadMs: 0, error: typeof at === 'number' ? `${error} (line ${at})` : error };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
