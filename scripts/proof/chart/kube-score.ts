/** A critical finding of kube-score that the chart accepts in production, with the reason. */
interface Exception {
  /** Kind and name of the objects, without the release's name. */
  readonly objects: RegExp;
  readonly check: string;
  readonly findings: readonly string[];
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    objects: /^(Deployment|StatefulSet|Job|CronJob|Pod) /,
    check: 'container-resources',
    findings: ['CPU limit is not set'],
    reason:
      'CPU requests share a busy node fairly; a limit would slow requests and decisions of bots even on an idle node. Operators can set one in `resources`.',
  },
  {
    objects: /^(Deployment|StatefulSet|Job|CronJob|Pod) /,
    check: 'container-image-pull-policy',
    findings: ['ImagePullPolicy is not set to Always'],
    reason:
      'Tags are versions that never change. With Always no container could start while the registry is unavailable. `image.pullPolicy` changes it where nodes are shared with other tenants.',
  },
  {
    objects: /^CronJob (backup|copy-backups)$/,
    check: 'container-security-context-user-group-id',
    findings: ['The container is running with a low user ID', 'The container running with a low group ID'],
    reason:
      "999 is the user of PostgreSQL's image. Both CronJobs and PostgreSQL share the volume to which PostgreSQL archives.",
  },
];

export interface Critical {
  /** As in `CronJob backup`. */
  readonly object: string;
  readonly container: string;
  readonly check: string;
  readonly finding: string;
}

interface Scored {
  readonly type_meta: { readonly kind: string };
  readonly object_meta: { readonly name: string };
  readonly checks: readonly {
    readonly check: { readonly id: string };
    readonly grade: number;
    readonly skipped: boolean;
    readonly comments: readonly { readonly path: string; readonly summary: string }[] | null;
  }[];
}

const criticalGrade = 1;

/**
 * Returns the criticals in kube-score's JSON output, one for each finding, with the objects' names without the release's name. Throws if
 * no object was scored.
 */
export function parseCriticals(json: string, release: string): Critical[] {
  const scored = JSON.parse(json) as Scored[] | null;
  if (scored === null || scored.length === 0) throw new Error('kube-score has scored no object');
  return scored.flatMap(({ type_meta, object_meta, checks }) => {
    const object = `${type_meta.kind} ${object_meta.name.replace(new RegExp(`^${release}-`), '')}`;
    return checks
      .filter(({ grade, skipped }) => !skipped && grade <= criticalGrade)
      .flatMap(({ check: { id: check }, comments }) =>
        (comments ?? [{ path: '', summary: '' }]).map(({ path, summary }) => ({
          object,
          container: path,
          check,
          finding: summary,
        })),
      );
  });
}

const covers = ({ objects, check, findings }: Exception, critical: Critical) =>
  objects.test(critical.object) && check === critical.check && findings.includes(critical.finding);

/** Returns a line for each critical that no exception covers. */
export function findUnexpected(criticals: readonly Critical[], allowed = exceptions): string[] {
  return criticals
    .filter((critical) => !allowed.some((exception) => covers(exception, critical)))
    .map(({ object, container, check, finding }) => `${object} ${container}: ${finding} (${check})`);
}

/** Returns a line for each exception that covers none of the criticals. */
export function findUnused(criticals: readonly Critical[], allowed = exceptions): string[] {
  return allowed
    .filter((exception) => !criticals.some((critical) => covers(exception, critical)))
    .map(({ objects, check }) => `the exception ${check} of ${objects.source} is not needed`);
}
