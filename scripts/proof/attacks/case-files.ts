import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const corpusFolder = join(import.meta.dirname, '../../../services/runner/attacks');

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

const description = z.strictObject({
  title: z.string().min(5),
  tries: z.string().min(10),
  idea: z.string().min(3).describe('where the idea comes from'),
  /** Permitted ends of the match for the attacker. */
  verdict: z.array(z.enum(ends)).min(1),
  /** Means that stop the attack. */
  means: z.array(z.enum(meansNames)).min(1),
  /** The upload is refused with 400 or 413 and a message that contains this word. */
  refusal: z.string().optional(),
  /** Bytes of comment added to player.py. */
  padding: z.int().optional(),
  /** Number of consecutive matches; in each the attack searches for remains of earlier ones. */
  matches: z.int().min(1).max(4).default(1),
  hands: z.int().min(10).max(120).default(20),
  /** Number of seats that play player.py; with several, the first is judged. */
  seats: z.int().min(1).max(5).default(1),
  /** The sentence of docs/security.md that documents the attack as not contained; absent: it is contained. */
  open: z.string().optional(),
  /** The attack is `open` only on machines where seats lack this means; absent: on every machine. */
  openWithout: z.enum(['own_uid', 'own_root', 'pid_namespace']).optional(),
  /** Kinds of machine on which the case is played; absent: all. */
  only: z.array(z.enum(['platform', 'pod'])).optional(),
  /** Played in runner pods by `make kube-test`. */
  pod: z.boolean().default(false),
});

export interface AttackCase extends z.infer<typeof description> {
  readonly name: string;
  readonly group: string;
  readonly folder: string;
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
  const folder = join(corpusFolder, group, name);
  const parsed = description.safeParse(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')));
  if (!parsed.success) throw new Error(`${group}/${name}/case.json: ${z.prettifyError(parsed.error)}`);
  return { ...parsed.data, group, name, folder, partner: existsSync(join(folder, 'partner.py')) };
}

const prelude = readFileSync(join(corpusFolder, 'prelude.py'), 'utf8');

/** Returns the source of a case's bot as uploaded: after the prelude, unless its first line is `# stands alone`. */
export function sourceOf(attack: AttackCase, file: 'player.py' | 'partner.py' = 'player.py'): string {
  const own = readFileSync(join(attack.folder, file), 'utf8');
  const padding = attack.padding === undefined ? '' : `# ${'x'.repeat(attack.padding)}\n`;
  return own.startsWith('# stands alone') ? own + padding : `${prelude}\n\n${own}`;
}

/** Returns the sources of the case's bots, by seat. */
export function sourcesOf(attack: AttackCase): string[] {
  const players = Array<string>(attack.seats).fill(sourceOf(attack));
  return attack.partner ? [...players, sourceOf(attack, 'partner.py')] : players;
}

/** Returns the case's requirements.txt; '' if it needs no packages. */
export function requirementsOf(attack: AttackCase): string {
  const path = join(attack.folder, 'requirements.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
