/** What a seat's line says: an answer to question `seq`; `amount` is the exception's text where kind is 0. */
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
  if (kind === 0 ? typeof amount !== 'string' : typeof amount !== 'number') return null;
  return { seq, kind, amount: amount as number | string };
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
