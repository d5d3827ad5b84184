import { DomainError, messageOf } from '@husky/runtime/errors';
import { contextOf, inSpan, spanAttribute } from '@husky/runtime/trace-context';
import type { Context } from '../context.ts';
import { failingMs, preparationBackoffMs, preparationVerdict } from '../domain/preparation.ts';
import { failUnfinished } from '../store/job-changes.ts';
import { finishPreparing, postponePreparation, takeUnprepared, type UnpreparedJob } from '../store/preparing.ts';

const retryMs = 5 * 60_000;
const jobsAtOnce = 4;
const resolveTimeoutMs = 4 * 60_000;

/** Resolves the packages of new jobs and queues these jobs. Returns whether there were any. */
export async function prepareJobs(context: Context): Promise<boolean> {
  const jobs = await takeUnprepared(context.pool, context.now(), retryMs, jobsAtOnce);
  await Promise.all(jobs.map((job) => prepareInTrace(context, job)));
  if (jobs.length > 0) context.relay.kick();
  return jobs.length > 0;
}

function prepareInTrace(context: Context, job: UnpreparedJob): Promise<void> {
  const settings = { parent: contextOf(job.traceContext), attributes: { [spanAttribute.jobId]: job.id } };
  return inSpan('prepare job', settings, () => prepareJob(context, job));
}

async function prepareJob(context: Context, job: UnpreparedJob): Promise<void> {
  const packages = new Map<string, string>();
  for (const { seat, botHash } of job.unresolved ?? []) {
    if (packages.has(botHash)) continue;
    try {
      packages.set(botHash, await resolvePackages(context, botHash));
    } catch (error) {
      await handleFailure(context, job, seat, error);
      return;
    }
  }
  await finishPreparing(context.pool, job.id, packages, context.now());
}

/** Returns the hash of the archive with a bot's packages; '' without packages. */
export async function resolvePackages(context: Context, botHash: string): Promise<string> {
  try {
    const { packagesHash } = await context.submission.preparePackages({ botHash }, { timeoutMs: resolveTimeoutMs });
    return packagesHash;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'DEADLINE_EXCEEDED') throw error;
    const message = `Preparing the packages took longer than ${resolveTimeoutMs / 60_000} minutes.`;
    throw new DomainError('DEADLINE_EXCEEDED', 'packages-timed-out', message, { cause: error });
  }
}

async function handleFailure(context: Context, job: UnpreparedJob, seat: number, error: unknown): Promise<void> {
  const now = context.now();
  const { prepareMs } = context.settings;
  const cause = messageOf(error);
  const verdict = preparationVerdict(error, failingMs(job.failingSince, now), prepareMs);
  if (verdict === 'retry') {
    context.log.warn({ jobId: job.id }, `resolving packages failed, will retry: ${cause}`);
    await postponePreparation(context.pool, job.id, now, now + preparationBackoffMs(job.tries));
    return;
  }
  const whose = job.kind === 'TEST_RUN' ? '' : `The bot in seat ${seat + 1} cannot be played: `;
  const tried = verdict === 'timed-out' ? ` It was tried for ${Math.round(prepareMs / 60_000)} minutes.` : '';
  await failUnfinished(context.pool, job.id, `${whose}${cause}${tried}`, now);
}
