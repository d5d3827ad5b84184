import { messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { purgeJob } from '../purge-job.ts';
import { appendMissing } from '../store/commitments.ts';
import { jobsToPurge } from '../store/deletion.ts';
import { expiredLeases, loseAttempt } from '../store/leases.ts';
import { closeIntent, staleIntents } from '../store/pin-intents.ts';
import { deleteUnseenRunners } from '../store/runners.ts';
import { deleteOldStarts } from '../store/test-run-starts.ts';

const staleIntentMs = 5 * 60_000;
const unseenRunnerMs = 60_000;
const unseenCordonMs = 60 * 60_000;
const maxPurges = 50;
const recordsAtOnce = 1000;

/** Ends attempts with expired leases and completes changes that a crash has interrupted. A failing step does not stop the others. */
export async function sweep(context: Context): Promise<void> {
  const now = context.now();
  const steps: [string, () => Promise<void>][] = [
    ['commitments', () => appendCommitments(context, now)],
    ['leases', () => endExpiredLeases(context, now)],
    ['deletions', () => purgeJobs(context)],
    ['pins', () => releaseStalePins(context, now)],
    ['test runs', () => deleteOldStarts(context.pool, now)],
    ['runners', () => deleteUnseenRunners(context.pool, now - unseenRunnerMs, now - unseenCordonMs)],
  ];
  for (const [name, step] of steps) {
    await step().catch((error: unknown) => context.log.warn({ err: error }, `sweeping ${name}: ${messageOf(error)}`));
  }
}

async function appendCommitments(context: Context, now: number): Promise<void> {
  while ((await appendMissing(context.pool, recordsAtOnce, now)) === recordsAtOnce);
}

async function endExpiredLeases(context: Context, now: number): Promise<void> {
  for (const lease of await expiredLeases(context.pool, now)) {
    const cause = 'the runner was not heard of any more';
    await loseAttempt(context.pool, lease, { cause, expiredBy: now }, now);
    context.log.warn(lease, `the lease of job ${lease.jobId}, attempt ${lease.attempt}, has expired`);
    context.relay.kick();
  }
}

async function purgeJobs(context: Context): Promise<void> {
  for (const jobId of await jobsToPurge(context.pool, maxPurges)) await purgeJob(context, jobId);
}

async function releaseStalePins(context: Context, now: number): Promise<void> {
  for (const holderId of await staleIntents(context.pool, now - staleIntentMs)) {
    await context.submission.releasePins({ holderId });
    await closeIntent(context.pool, holderId);
  }
}
