import { findProblem, type RunStatus, readCauses } from './judge.ts';
import { brokenKinds, createBrokenBot } from './kinds.ts';

/** Short time limits for a platform, so that a sleeping bot takes seconds instead of minutes. */
export const shortLimits: Readonly<Record<string, string>> = {
  BOT_DECISION_MS: '300',
  BOT_BANK_MS: '600',
  BOT_FREE_MS: '100',
  BOT_STARTUP_MS: '8000',
  BOT_FAULTS_TO_DISABLE: '3',
};

export interface RunOutcome {
  readonly kind: string;
  readonly cause: string;
  /** '' if the run reports the right cause. */
  readonly problem: string;
  readonly jobId: string;
}

interface Runner {
  readonly origin: string;
  readonly token: string;
  readonly username: string;
}

const timeoutMs = 120_000;
const pollMs = 200;

/** Starts the test run of the n-th broken bot and judges its status. Cycles through all kinds, with varying hands and lines. */
export async function runBroken(n: number, runner: Runner): Promise<RunOutcome> {
  const kind = brokenKinds[n % brokenKinds.length];
  if (kind === undefined) throw new Error('there are no broken bots');
  const { source, line } = createBrokenBot(kind, 1 + (n % 5), n % 37);
  const outcome = (cause: string, problem: string, jobId = '') => ({ kind: kind.name, cause, problem, jobId });
  const form = new FormData();
  form.set('python_file', new File([source], 'player.py'));
  form.set('packages_file', new File([''], 'requirements.txt'));
  const created = await send(runner, 'POST', '/sim/async_run', form);
  if (created.status === 400 && kind.causes.includes('refused')) return outcome('refused', '');
  if (created.status !== 200 || created.body.status_code !== 200) {
    return outcome('refused', `it was not accepted: ${created.status} ${JSON.stringify(created.body)}`);
  }
  const jobId = created.body.job_id as string;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { status, body } = await send(runner, 'GET', `/sim/status/${jobId}`);
    if (status !== 200) return outcome('', `its status call returns ${status}`, jobId);
    const run = body as unknown as RunStatus;
    if (run.job_status === 'Finished' || run.job_status === 'Failed') {
      const problem = findProblem(kind, line, run, runner.username);
      return outcome(String(readCauses(run, runner.username)), problem, jobId);
    }
    if (Date.now() > deadline) return outcome('', `it has not finished after ${timeoutMs / 1000} s`, jobId);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function send({ origin, token }: Runner, method: string, path: string, body?: FormData) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Runs the broken bots with these numbers, `concurrency` of them concurrently. Calls `onDone` after each. */
export async function runAll(
  numbers: readonly number[],
  concurrency: number,
  runner: Runner,
  onDone: (outcome: RunOutcome, done: number) => void = () => undefined,
): Promise<RunOutcome[]> {
  const outcomes: RunOutcome[] = [];
  const pending = [...numbers].reverse();
  const work = async () => {
    for (let n = pending.pop(); n !== undefined; n = pending.pop()) {
      const outcome = await runBroken(n, runner);
      outcomes.push(outcome);
      onDone(outcome, outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}

/** Raises the event's quotas so that one user can start thousands of test runs. */
export async function raiseQuotas(origin: string, adminToken: string): Promise<void> {
  const response = await fetch(`${origin}/admin/settings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_test_runs: 100, max_test_runs_a_day: 10_000 }),
  });
  if (response.status !== 200)
    throw new Error(`the quotas were not raised: ${response.status} ${await response.text()}`);
}
