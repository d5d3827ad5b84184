import type { Logger } from '@husky/runtime/process/logger';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { withParty } from '@husky/runtime/rpc/party';
import { contextOf, inSpan, spanAttribute } from '@husky/runtime/telemetry/trace-context';
import type { Context } from '../context.ts';
import { failingMs, preparationBackoffMs, preparationVerdict } from '../domain/loss.ts';
import { usernamesOf } from '../names.ts';
import { brokenChainRetryMs, ChainBroken } from '../store/chain-check.ts';
import { failUnfinished } from '../store/job-changes.ts';
import {
  finishPreparing,
  playWithout,
  postponePreparation,
  renewPreparation,
  takeUnprepared,
  type UnpreparedJob,
  waitForChain,
} from '../store/preparing.ts';
import { reservedMs, whileReserved } from './reservation.ts';

// Submission's own queue bounds how many packages are built at a time (package-preparer.ts).
const jobsAtOnce = 64;
const resolveTimeoutMs = 4 * 60_000;

/** Takes at most `limit` new jobs, resolves their packages and queues them. Returns the work on each. */
async function startPreparing(context: Context, limit: number): Promise<Promise<void>[]> {
  const now = context.now();
  const jobs = await takeUnprepared(context.pool, now, reservedMs, limit);
  return jobs.map((job) => {
    const renew = (from: number, to: number) => renewPreparation(context.pool, job.id, from, to);
    return whileReserved(context, now, renew, () => prepareInTrace(context, job)).finally(() => context.relay.kick());
  });
}

/** Prepares the jobs that are due. Returns whether there were any. */
export async function prepareJobs(context: Context): Promise<boolean> {
  const started = await startPreparing(context, jobsAtOnce);
  await Promise.all(started);
  return started.length > 0;
}

/** Prepares jobs in the background. A job with slow packages delays no other; its place is free for the next when it ends. */
export function createPreparer(context: Context, log: Logger): { start(): Promise<boolean>; settled(): Promise<void> } {
  const running = new Set<Promise<void>>();
  return {
    async start() {
      const started = await startPreparing(context, jobsAtOnce - running.size);
      for (const work of started) {
        const ended = work
          .catch((error: unknown) => log.warn({ err: error }, `preparing a job failed: ${messageOf(error)}`))
          .finally(() => {
            running.delete(ended);
            context.worker.kick();
          });
        running.add(ended);
      }
      return started.length > 0 && running.size < jobsAtOnce;
    },
    settled: async () => void (await Promise.all(running)),
  };
}

function prepareInTrace(context: Context, job: UnpreparedJob): Promise<void> {
  const settings = { parent: contextOf(job.traceContext), attributes: { [spanAttribute.jobId]: job.id } };
  const party = { account: job.ownerId, address: job.address };
  return withParty(party, () => inSpan('prepare job', settings, () => prepareJob(context, job)));
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
  try {
    const names =
      job.kind === 'MATCH' || job.kind === 'LADDER'
        ? await usernamesOf(context, job.userIds)
        : new Map<string, string>();
    const planning = { names, now: context.now(), beacon: context.settings.beacon?.chain ?? null };
    await finishPreparing(context.pool, job.id, { packages, ...planning });
  } catch (error) {
    if (!(error instanceof ChainBroken)) throw error;
    await waitForChain(context.pool, job.id, context.now() + brokenChainRetryMs);
  }
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
  if (job.kind === 'LADDER') return playWithout(context.pool, job.id, seat, cause, now);
  const whose = job.kind === 'TEST_RUN' ? '' : `The bot in seat ${seat + 1} cannot be played: `;
  const tried = verdict === 'timed-out' ? ` It was tried for ${Math.round(prepareMs / 60_000)} minutes.` : '';
  await failUnfinished(context.pool, job.id, `${whose}${cause}${tried}`, now);
}
