import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const corpusFolder = join(import.meta.dirname, '../../services/runner/attacks');

/** The groups in the order of the table. */
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

/** Means of the sandbox and of the platform around it, as cases name them. */
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

/** How a bot's match ended for it: `plays` or the fault that put it out. */
export const ends = ['plays', 'startup', 'crash', 'memory', 'protocol', 'timeout', 'disabled'] as const;
export type End = (typeof ends)[number];

const description = z.strictObject({
  title: z.string().min(5),
  tries: z.string().min(10),
  idea: z.string().min(3).describe('where the idea comes from'),
  /** One of these must be how the match ends for it. */
  verdict: z.array(z.enum(ends)).min(1),
  /** What stops it. */
  means: z.array(z.enum(meansNames)).min(1),
  /** `refused`: the upload is answered with 400 or 413 and this word in its sentence. */
  refusal: z.string().optional(),
  /** Bytes of comment added to player.py. */
  padding: z.int().optional(),
  /** Matches one after the other: what the first leaves is looked for in the next. */
  matches: z.int().min(1).max(4).default(1),
  hands: z.int().min(10).max(120).default(20),
  /** Not contained, as docs/security.md says in this sentence. */
  open: z.string().optional(),
  /** `open` holds only where seats lack this means; absent: on every machine. */
  openWithout: z.enum(['own_uid', 'own_root', 'pid_namespace']).optional(),
  /** Only on these kinds of machine, where the attempt means anything: else on all. */
  only: z.array(z.enum(['platform', 'pod'])).optional(),
  /** Among those that run in pods in `make kube-test`. */
  pod: z.boolean().default(false),
});

export interface AttackCase extends z.infer<typeof description> {
  readonly name: string;
  readonly group: string;
  readonly folder: string;
  /** The accomplice's file is there: it takes the next seat. */
  readonly partner: boolean;
}

/** The means that decide whether an attack is open, as the seat host's `hello` reports them. */
export type SandboxMeans = Readonly<Record<NonNullable<AttackCase['openWithout']>, boolean>>;

/** The case as it must end where seats have these means: no longer open where its means is there. Unknown means (undefined) close nothing. */
export function expectedWith(attack: AttackCase, means: SandboxMeans | undefined): AttackCase {
  if (attack.openWithout === undefined || means?.[attack.openWithout] !== true) return attack;
  const { open: _, ...closed } = attack;
  return closed;
}

/** Every case, or those whose name, group or `group/name` is among `wanted` (comma-separated). Throws for unknown words. */
export function readCases(wanted = ''): AttackCase[] {
  const all = groups.flatMap((group) =>
    readdirSync(join(corpusFolder, group))
      .sort()
      .map((name) => readCase(group, name)),
  );
  const words = wanted.split(/[\s,]+/).filter((word) => word !== '');
  const fits = ({ group, name }: AttackCase, word: string) => [group, name, `${group}/${name}`].includes(word);
  const unknown = words.filter((word) => !all.some((one) => fits(one, word)));
  if (unknown.length > 0) throw new Error(`There is no attack ${unknown.join(', ')} in services/runner/attacks`);
  return words.length === 0 ? all : all.filter((one) => words.some((word) => fits(one, word)));
}

function readCase(group: string, name: string): AttackCase {
  const folder = join(corpusFolder, group, name);
  const parsed = description.safeParse(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')));
  if (!parsed.success) throw new Error(`${group}/${name}/case.json: ${z.prettifyError(parsed.error)}`);
  return { ...parsed.data, group, name, folder, partner: existsSync(join(folder, 'partner.py')) };
}

const prelude = readFileSync(join(corpusFolder, 'prelude.py'), 'utf8');

/** A case's file as it is uploaded: after the prelude, unless it says in its first line that it stands alone. */
export function sourceOf(attack: AttackCase, file: 'player.py' | 'partner.py' = 'player.py'): string {
  const own = readFileSync(join(attack.folder, file), 'utf8');
  const padding = attack.padding === undefined ? '' : `# ${'x'.repeat(attack.padding)}\n`;
  return own.startsWith('# stands alone') ? own + padding : `${prelude}\n\n${own}`;
}

/** Its requirements.txt; '' where it needs no packages. */
export function requirementsOf(attack: AttackCase): string {
  const path = join(attack.folder, 'requirements.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
