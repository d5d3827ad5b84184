import { type BrokenKind, brokenKinds, type Cause, createBrokenBot } from './broken-bots.ts';
import * as client from './client.ts';

/** Short time limits for a platform, so that a sleeping bot takes seconds instead of minutes. */
export const shortLimits: Readonly<Record<string, string>> = {
  BOT_DECISION_MS: '300',
  BOT_BANK_MS: '600',
  BOT_FREE_MS: '100',
  BOT_STARTUP_MS: '8000',
  BOT_FAULTS_TO_DISABLE: '3',
};

/** Response of GET /sim/status/{id} to the owner. */
interface RunStatus {
  readonly job_status: string;
  readonly error?: string;
  readonly result_data?: Readonly<Record<string, number>>;
  readonly no_contest: boolean;
  readonly faults?: Readonly<Record<string, RunFaults | undefined>>;
}

interface RunFaults {
  readonly decisions: number;
  readonly failed: number;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly failed_calls: number;
  readonly never_started: boolean;
  readonly summary: string;
  readonly first: { readonly kind: string; readonly game_id: string | null; readonly text: string | null } | null;
}

/** Returns the causes that a run's status shows to the bot's owner; 'honest' if it shows none. */
function readCauses(status: RunStatus, username: string): readonly Cause[] | 'honest' {
  const own = status.faults?.[username];
  if (!own || own.summary === '') return 'honest';
  if (own.never_started) return ['startup'];
  const kinds = Object.keys(own.by_kind) as Cause[];
  return own.failed_calls > 0 ? ['call', ...kinds] : kinds;
}

/** Returns the problem with the status of a broken bot's test run; '' if it reports the right cause. */
function findProblem(kind: BrokenKind, line: number | null, status: RunStatus, username: string): string {
  if (status.job_status === 'Failed') return `the job failed: ${status.error}`;
  const causes = readCauses(status, username);
  if (causes === 'honest') return 'it looks like an honest loss';
  if (!kind.causes.some((expected) => causes.includes(expected))) return `it shows the cause ${causes.join(', ')}`;
  const own = status.faults?.[username];
  const deltas = Object.values(status.result_data ?? {});
  if (deltas.reduce((sum, delta) => sum + delta, 0) !== 0) return 'its result is not zero-sum';
  if (own?.never_started && (!status.no_contest || deltas.some((delta) => delta !== 0)))
    return 'a run without a start has a winner';
  if (!own?.never_started && status.no_contest) return 'a run that was played has no result';
  if (!own?.never_started && own?.first?.game_id === null) return 'its first fault has no hand';
  if (line !== null && !own?.summary.includes(`(line ${line})`))
    return `it does not name line ${line}: ${own?.summary}`;
  return '';
}

/** Makes the test run of the n-th broken bot. Varies hands and lines. `problem`: '' if its status reports the right cause. */
export async function runBroken(n: number, { token, username }: { token: string; username: string }) {
  const kind = brokenKinds[n % brokenKinds.length] as BrokenKind;
  const { source, line } = createBrokenBot(kind, 1 + (n % 5), n % 37);
  const form = client.uploadForm(client.testRunFields, source);
  const created = await client.call('POST', '/sim/async_run', { form, token });
  if (created.status === 400 && kind.causes.includes('refused'))
    return { kind: kind.name, cause: 'refused', problem: '' };
  const { job_id: jobId } = client.expectStatus(created, 200);
  const status: RunStatus = await client.ended(jobId, token);
  const problem = findProblem(kind, line, status, username);
  return { kind: kind.name, cause: String(readCauses(status, username)), problem, jobId };
}
