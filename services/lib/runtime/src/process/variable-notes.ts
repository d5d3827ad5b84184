import { type Part, type Variable, variables } from './variables.ts';

const known = new Map(Object.entries<Variable>(variables));
// Beginnings that other programs use, too.
const shared = ['AWS', 'CORS', 'DATA', 'DATABASE', 'LOG', 'MAIL', 'METRICS', 'OTEL', 'PUBLIC', 'SMTP', 'SOURCE'];
const foreign = ['HTTP', 'HTTPS', 'NODE', 'SSH', 'SSL', 'XDG'];
const beginningOf = (name: string): string => name.split('_', 1)[0] ?? '';
const ofFormer = ['DOWNLOADS', 'TLS'];
const ownBeginnings = new Set(
  [...known]
    .filter(([name, { wired }]) => name.includes('_') && !wired && !shared.includes(beginningOf(name)))
    .map(([name]) => beginningOf(name))
    .concat(ofFormer),
);

/**
 * Returns a sentence for each variable of `env` that looks like one of ours and has no effect in `part`: one that is unknown, is
 * set by `make up` itself, needs another variable, or is read by other parts only.
 */
export function variableNotes(part: Part, env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => env[name] !== '' && env[name] !== undefined)
    .sort()
    .flatMap((name) => noteOf(part, name, env) ?? []);
}

function noteOf(part: Part, name: string, env: NodeJS.ProcessEnv): string | undefined {
  const variable = known.get(name);
  if (variable === undefined) {
    const near = nearestTo(name);
    if (near !== undefined) return `${name} is not a variable of this platform and has no effect; is ${near} meant?`;
    return looksOwn(name) ? `${name} is not a variable of this platform and has no effect` : undefined;
  }
  // make up passes the others on to their parts.
  if (part === 'make up' && variable.wired) return `${name} has no effect here: make up sets it itself`;
  // The chart sets addresses and files for parts that do not read them.
  if (part !== 'make up' && !variable.wired && !variable.parts.includes(part))
    return `${name} has no effect in ${part}: it is a variable of ${variable.parts.join(', ')}`;
  const [needed, value] = variable.needs ?? [];
  if (needed !== undefined && env[needed] !== value) return `${name} has no effect without ${needed}=${value}`;
  return undefined;
}

const looksOwn = (name: string): boolean => name.includes('_') && ownBeginnings.has(beginningOf(name));

/** Returns the known name from which `name` differs by a slip: letters in lower case, or one letter in four, at most three. */
function nearestTo(name: string): string | undefined {
  const upper = name.toUpperCase();
  if (foreign.includes(beginningOf(upper))) return undefined;
  const most = Math.min(3, Math.floor(name.length / 4));
  const [nearest] = [...known.keys()]
    .map((one) => ({ one, distance: distanceOf(upper, one) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.one;
}

/** Levenshtein distance in which two exchanged neighbours count once (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + changed);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, at(row - 2, column - 2) + 1);
      rows[row]?.push(least);
    }
  }
  return at(a.length, b.length);
}
