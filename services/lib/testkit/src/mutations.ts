/** A document with one value changed to another one of the same type. */
export interface Mutation<T> {
  /** Where, with dots. */
  readonly path: string;
  /** `path` with `*` for numbers and for names of players. */
  readonly kind: string;
  readonly document: T;
}

type Path = readonly (string | number)[];

const kindOf = (path: Path): string =>
  path.map((key, index) => (/^\d+$/.test(String(key)) || path[index - 1] === 'usernameMapping' ? '*' : key)).join('.');

/**
 * Yields the document once for each kind of field that `seen` does not have, with that field changed, and once for each kind of list and
 * of object by seat with its last member removed. Adds the kinds to `seen`.
 */
export function* mutationsOf<T>(document: T, seen = new Set<string>()): Generator<Mutation<T>> {
  for (const [path, change] of changes(document, [])) {
    const kind = kindOf(path);
    if (seen.has(kind)) continue;
    seen.add(kind);
    const copy = structuredClone(document);
    change(copy);
    yield { path: path.join('.'), kind, document: copy };
  }
}

function* changes(value: unknown, path: Path): Generator<[Path, (document: unknown) => void]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, (document) => set(document, path, otherValue(value))];
    return;
  }
  const keys = Object.keys(value);
  const last = keys.at(-1);
  if (last !== undefined && /^\d+$/.test(last)) {
    yield [
      [...path, 'removed'],
      (document) => {
        const list = at(document, path);
        if (Array.isArray(list)) list.pop();
        else delete list[last];
      },
    ];
  }
  for (const [key, of] of Object.entries(value)) yield* changes(of, [...path, key]);
}

const at = (document: unknown, path: Path) =>
  path.reduce((of, key) => (of as Record<string, unknown>)[key], document) as Record<string, unknown>;

function set(document: unknown, path: Path, value: unknown): void {
  at(document, path.slice(0, -1))[String(path.at(-1))] = value;
}

const cycles = [
  ['RAISE', 'CALL', 'ALL IN', 'CHECK', 'FOLD'],
  ['timeout', 'crash', 'exception', 'illegal'],
  ['carry', 'reset'],
  ['preflop', 'flop', 'turn', 'river'],
];

/** Returns another value of the same type and form. */
export function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  if (value instanceof Date) return new Date(value.getTime() + 1000);
  if (typeof value !== 'string') return 1;
  const cycle = cycles.find((one) => one.includes(value));
  if (cycle !== undefined) return cycle[(cycle.indexOf(value) + 1) % cycle.length];
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.parse(value) + 1000).toISOString();
  if (/^([2-9TJQKA][hdcs] ?)+$/.test(value)) return value.replace(/^./, (rank) => (rank === 'A' ? 'K' : 'A'));
  if (/^[0-9a-f-]{8,}$/.test(value)) return value.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  return /\d/.test(value) ? value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : `${value}x`;
}
