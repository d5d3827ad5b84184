import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { findPython } from '../../../services/runner/bench/local-host.ts';

const corpusFolder = join(import.meta.dirname, '../../../services/runner/attacks');

/** Attack groups, in the order of the table. */
export const groups = [
  'files',
  'memory',
  'processes',
  'descriptors',
  'time',
  'network',
  'kernel',
  'protocol',
  'python',
  'packages',
  'collusion',
  'others',
  'wear',
  'survival',
] as const;

/** Means of the sandbox and of the platform that cases can name in `means`. */
export const meansNames = [
  'seccomp',
  'landlock',
  'own-user',
  'own-root',
  'pid-namespace',
  'rlimits',
  'sampler',
  'scratch',
  'shared-mappings',
  'no-new-privs',
  'environment',
  'descriptors',
  'log',
  'clock',
  'dealer',
  'answers',
  'upload-check',
  'package-bounds',
  'cleaning',
] as const;

/** The end of a match for a bot: `plays` (not disabled), or the fault that disabled it. */
export const ends = ['plays', 'startup', 'crash', 'memory', 'protocol', 'timeout', 'disabled'] as const;
export type End = (typeof ends)[number];

/** Files of a case. */
const fileNames = ['player.py', 'partner.py', 'requirements.txt', 'wheel.py'] as const;
type FileName = (typeof fileNames)[number];

const listOf = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .transform((text) => text.split(', '))
    .pipe(z.array(z.enum(names)).min(1));
const countOf = (min: number, max: number, otherwise: number) =>
  z.coerce.number().int().min(min).max(max).default(otherwise);

/** The comment at the start of a case: its title, then `key: value` lines. */
const header = z.strictObject({
  title: z.string().min(5),
  tries: z.string().min(10),
  idea: z.string().min(3).describe('where the idea comes from'),
  /** Permitted ends of the match for the attacker. */
  verdict: listOf(ends),
  /** Means that stop the attack. */
  means: listOf(meansNames),
  /** The upload is refused with 400 or 413 and a message that contains this word. */
  refusal: z.string().optional(),
  /** Number of consecutive matches; in each the attack searches for remains of earlier ones. */
  matches: countOf(1, 4, 1),
  hands: countOf(10, 120, 20),
  /** Number of seats that play player.py; with several, the first is judged. */
  seats: countOf(1, 5, 1),
  /** The sentence of docs/security.md that documents the attack as not contained; absent: it is contained. */
  open: z.string().optional(),
  /** The attack is `open` only on machines where seats lack this means; absent: on every machine. */
  openWithout: z.enum(['own_uid', 'own_root', 'pid_namespace']).optional(),
  /** Played in runner pods by `make kube-test`. */
  pod: z.stringbool().default(false),
});

export interface AttackCase extends z.infer<typeof header> {
  readonly name: string;
  readonly group: string;
  /** Content by name; `prints <name>`: a Python program that prints it. */
  readonly files: ReadonlyMap<string, string>;
  /** True: an accomplice (partner.py) takes the next seat. */
  readonly partner: boolean;
}

/** The means that decide whether an attack is open, as the seat host's `hello` reports them. */
export type SandboxMeans = Readonly<Record<NonNullable<AttackCase['openWithout']>, boolean>>;

/** Returns the case without `open` if the seats have the means that stops it. `means` undefined: unknown, so `open` is kept. */
export function adaptToMeans(attack: AttackCase, means: SandboxMeans | undefined): AttackCase {
  if (attack.openWithout === undefined || means?.[attack.openWithout] !== true) return attack;
  const { open: _, ...closed } = attack;
  return closed;
}

/** Reads the cases whose name, group or `group/name` is in `selection` (comma-separated; '': all). Throws for unknown names. */
export function readCases(selection = ''): AttackCase[] {
  const all = groups.flatMap((group) =>
    readdirSync(join(corpusFolder, group))
      .map((file) => basename(file, '.py'))
      .sort()
      .map((name) => readCase(group, name)),
  );
  const names = selection.split(/[\s,]+/).filter((word) => word !== '');
  const isNamed = ({ group, name }: AttackCase, word: string) => [group, name, `${group}/${name}`].includes(word);
  const unknown = names.filter((word) => !all.some((one) => isNamed(one, word)));
  if (unknown.length > 0) throw new Error(`There is no attack ${unknown.join(', ')} in services/runner/attacks`);
  return names.length === 0 ? all : all.filter((one) => names.some((word) => isNamed(one, word)));
}

function readCase(group: string, name: string): AttackCase {
  const text = readFileSync(join(corpusFolder, group, `${name}.py`), 'utf8');
  const [first = '', ...sections] = text.split('\n# --- ');
  const [comment = ''] = first.split('\n\n', 1);
  const [title, ...fields] = comment
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2));
  const given = fields.map((field) => splitAt(field, ':').map((part) => part.trim()));
  const parsed = header.safeParse({ title, ...Object.fromEntries(given) });
  if (!parsed.success) throw new Error(`${group}/${name}.py: ${z.prettifyError(parsed.error)}`);
  const files = new Map([
    ['player.py', first.slice(comment.length + 2)],
    ...sections.map((section) => splitAt(section, '\n')),
  ]);
  for (const file of files.keys())
    if (!fileNames.some((known) => file.replace('prints ', '') === known))
      throw new Error(`${group}/${name}.py: unknown file ${file}`);
  return { ...parsed.data, group, name, files, partner: files.has('partner.py') };
}

function splitAt(text: string, separator: string): [string, string] {
  const [before = ''] = text.split(separator, 1);
  return [before, text.slice(before.length + 1)];
}

/** Runs a Python program, which can import the corpus' modules, and returns its output. */
function runPython(program: string, ...options: string[]): string {
  const args = ['-B', '-', ...options];
  return execFileSync(findPython(), args, { cwd: corpusFolder, input: program, encoding: 'utf8', maxBuffer: Infinity });
}

/** Returns a file of a case; undefined if it has none of this name. */
function fileOf({ files }: AttackCase, name: FileName): string | undefined {
  const program = files.get(`prints ${name}`);
  return program === undefined ? files.get(name) : runPython(program);
}

const prelude = readFileSync(join(corpusFolder, 'prelude.py'), 'utf8');

/** Returns the source of a case's bot as uploaded: after the prelude, unless its first line is `# stands alone`. */
export function sourceOf(attack: AttackCase, file: 'player.py' | 'partner.py' = 'player.py'): string {
  const own = fileOf(attack, file) ?? '';
  return own.startsWith('# stands alone') ? own : `${prelude}\n\n${own}`;
}

/** Returns the sources of the case's bots, by seat. */
export function sourcesOf(attack: AttackCase): string[] {
  const players = Array<string>(attack.seats).fill(sourceOf(attack));
  return attack.partner ? [...players, sourceOf(attack, 'partner.py')] : players;
}

/** Returns the case's requirements.txt; '' if it needs no packages. */
export const requirementsOf = (attack: AttackCase) => fileOf(attack, 'requirements.txt') ?? '';

/** Builds the wheels of the cases that have a wheel.py. */
export function buildWheels(cases: readonly AttackCase[], folder: string): void {
  for (const attack of cases) {
    const program = fileOf(attack, 'wheel.py');
    if (program !== undefined) runPython(program, folder);
  }
}
