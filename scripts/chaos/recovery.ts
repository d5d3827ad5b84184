import { pause, type Workload, type World } from './workload.ts';

const pollMs = 100;

export interface Recovery {
  /** From the end of the fault until all parts are ready and sign-in, reads and an upload succeed. */
  readonly answersMs: number;
  /** Until a test run that was started then has finished. */
  readonly playsMs: number;
}

/** Waits until the platform works again. Returns the sentence of what does not work after `maxMs`. */
export async function recover(
  isReady: () => Promise<boolean>,
  world: World,
  workload: Workload,
  maxMs: number,
): Promise<Recovery | string> {
  const startedMs = performance.now();
  const until = startedMs + maxMs;
  const author = world.authors[0];
  if (author === undefined) throw new Error('there are no authors');
  const steps: readonly (readonly [string, () => Promise<boolean>])[] = [
    ['a part is not ready', isReady],
    ['nobody can sign in', async () => is200(await world.anonymous.send('POST', '/auth/login', world.adminAccount))],
    ['the board cannot be read', async () => is200(await workload.readBoard())],
    ['public matches cannot be read', async () => is200(await world.anonymous.send('GET', '/live/now'))],
    ['the pool cannot be read', async () => is200(await world.admin.send('GET', '/docker/pool/status'))],
  ];
  for (const [problem, works] of steps) {
    if (!(await poll(works, until))) return `${problem} ${maxMs / 1000} s after the fault`;
  }
  let jobId: string | undefined;
  const starts = async () => {
    jobId = await workload.startTestRun(author);
    return jobId !== undefined;
  };
  if (!(await poll(starts, until))) return `no test run can be started ${maxMs / 1000} s after the fault`;
  const answersMs = performance.now() - startedMs;
  const job = workload.jobs.get(jobId ?? '');
  const finishes = async () => job !== undefined && (await workload.readJob(job)) && job.state === 'Finished';
  if (!(await poll(finishes, until))) return `test run ${jobId} is ${job?.state} ${maxMs / 1000} s after the fault`;
  return { answersMs, playsMs: performance.now() - startedMs };
}

const is200 = ({ status }: { readonly status: number }) => status === 200;

/** Repeats a check until it holds. Returns false when it does not in time. */
export async function poll(check: () => Promise<boolean>, until: number): Promise<boolean> {
  for (;;) {
    if (await check()) return true;
    if (performance.now() >= until) return false;
    await pause(pollMs);
  }
}
