import { pause, type Workload, type World } from './workload.ts';

const pollMs = 100;

export interface Recovery {
  /** From the end of the fault until all parts are ready and sign-in, reads and an upload succeed. */
  readonly availableMs: number;
  /** From the end of the fault until a test run that was started after that has finished. */
  readonly playsMs: number;
}

/** Waits until the platform works again. Returns the times, or a sentence with the check that still fails after `maxMs`. */
export async function recover(
  isReady: () => Promise<boolean>,
  world: World,
  workload: Workload,
  maxMs: number,
): Promise<Recovery | string> {
  const startedMs = performance.now();
  const deadline = startedMs + maxMs;
  const author = world.authors[0];
  if (author === undefined) throw new Error('there are no authors');
  const steps: readonly (readonly [string, () => Promise<boolean>])[] = [
    ['a part is not ready', isReady],
    ['nobody can sign in', async () => is200(await world.anonymous.signIn(world.adminAccount))],
    ['the board cannot be read', async () => is200(await workload.readBoard())],
    ['public matches cannot be read', async () => is200(await world.anonymous.send('GET', '/live/now'))],
    ['the pool cannot be read', async () => is200(await world.admin.send('GET', '/docker/pool/status'))],
  ];
  for (const [problem, check] of steps) {
    if (!(await poll(check, deadline))) return `${problem} ${maxMs / 1000} s after the fault`;
  }
  let jobId: string | undefined;
  const start = async () => {
    jobId = await workload.startTestRun(author);
    return jobId !== undefined;
  };
  if (!(await poll(start, deadline))) return `no test run can be started ${maxMs / 1000} s after the fault`;
  const availableMs = performance.now() - startedMs;
  const job = workload.jobs.get(jobId ?? '');
  const hasFinished = async () => job !== undefined && (await workload.readJob(job)) && job.state === 'Finished';
  if (!(await poll(hasFinished, deadline)))
    return `test run ${jobId} is ${job?.state} ${maxMs / 1000} s after the fault`;
  return { availableMs, playsMs: performance.now() - startedMs };
}

const is200 = ({ status }: { readonly status: number }) => status === 200;

/** Repeats a check until it returns true. Returns false if it does not before the deadline, a time of `performance.now()`. */
export async function poll(check: () => Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await check()) return true;
    if (performance.now() >= deadline) return false;
    await pause(pollMs);
  }
}
