import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import { purgeJob } from '../purge-job.ts';
import { appendMissing } from '../store/commitments.ts';
import { jobsToPurge } from '../store/deletion.ts';
import { expiredLeases, loseAttempt, shortenLeases } from '../store/leases.ts';
import { beginRelease, finishRelease, staleIntents } from '../store/pin-intents.ts';
import { deleteServedTags } from '../store/queue.ts';
import { deleteUnseenRunners } from '../store/runners.ts';
import { deleteOldStarts } from '../store/test-run-starts.ts';
import { forEach } from './for-each.ts';

const staleIntentMs = 5 * 60_000;
const unseenRunnerMs = 60_000;
const unseenCordonMs = 60 * 60_000;
const maxPurges = 50;
const atOnce = 5;
const recordsAtOnce = 1000;

/**
 * Ends attempts with expired leases and completes changes that a crash has interrupted. A failing step does not stop the others. Returns
 * the failures.
 */
export async function sweep(context: Context): Promise<Error[]> {
  const now = context.now();
  const steps: [string, () => Promise<void>][] = [
    ['commitments', () => appendCommitments(context, now)],
    ['leases', () => endExpiredLeases(context, now)],
    ['deletions', () => purgeJobs(context)],
    ['pins', () => releaseStalePins(context, now)],
    ['test runs', () => deleteOldStarts(context.pool, now)],
    ['served owners', () => deleteServedTags(context.pool)],
    ['runners', () => deleteUnseenRunners(context.pool, now - unseenRunnerMs, now - unseenCordonMs)],
  ];
  const failures: Error[] = [];
  for (const [name, step] of steps) {
    await step().catch((cause: unknown) => failures.push(new Error(`${name}: ${messageOf(cause)}`, { cause })));
  }
  return failures;
}

async function appendCommitments(context: Context, now: number): Promise<void> {
  while ((await appendMissing(context.pool, recordsAtOnce, now)) === recordsAtOnce);
}

/** Runs `work` for each item within the limits of `forEach`. Throws one of the failures at the end. */
async function sweepEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const { failed, outage } = await forEach(items, atOnce, work);
  const error = outage ?? failed[0]?.error;
  if (error !== undefined) throw error;
}

async function endExpiredLeases(context: Context, now: number): Promise<void> {
  await shortenLeases(context.pool, { now, leaseSeconds: context.settings.leaseSeconds });
  await sweepEach(await expiredLeases(context.pool, now), async (lease) => {
    const cause = 'the runner was not heard of any more';
    await loseAttempt(context.pool, lease, { cause, expiredBy: now }, now);
    context.log.warn(lease, `the lease of job ${lease.jobId}, attempt ${lease.attempt}, has expired`);
    context.relay.kick();
  });
}

async function purgeJobs(context: Context): Promise<void> {
  const { pool, purgeFailures } = context;
  const jobIds = await jobsToPurge(pool, maxPurges, purgeFailures.jobIds);
  const outcome = await forEach(jobIds, atOnce, (jobId) => purgeJob(context, jobId));
  purgeFailures.record(outcome, context.now());
  if (outcome.outage !== undefined) throw outcome.outage;
}

async function releaseStalePins(context: Context, now: number): Promise<void> {
  await sweepEach(await staleIntents(context.pool, now - staleIntentMs), async (holderId) => {
    if (!(await beginRelease(context.pool, holderId))) return;
    await context.submission.releasePins({ holderId });
    await finishRelease(context.pool, holderId);
  });
}
