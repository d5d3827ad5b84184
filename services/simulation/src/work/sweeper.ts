import { messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { appendMissing } from '../store/commitments.ts';
import { finishDeletion, jobsBeingDeleted } from '../store/deletion.ts';
import { expiredLeases, loseAttempt } from '../store/losses.ts';
import { closeIntent, staleIntents } from '../store/pin-intents.ts';
import { forgetTestRuns } from '../store/quotas.ts';
import { forgetRunners } from '../store/runners.ts';

const intentMs = 5 * 60_000;
const runnerMs = 60_000;
const cordonMs = 60 * 60_000;
const deletionsAtOnce = 50;
const recordsAtOnce = 1000;

/** Takes back expired leases, and finishes what a crash left half done. */
export async function sweep(context: Context): Promise<void> {
  const now = context.now();
  const steps: [string, () => Promise<void>][] = [
    ['commitments', () => sweepCommitments(context, now)],
    ['leases', () => sweepLeases(context, now)],
    ['deletions', () => sweepDeletions(context)],
    ['pins', () => sweepIntents(context, now)],
    ['test runs', () => forgetTestRuns(context.pool, now)],
    ['runners', () => forgetRunners(context.pool, now - runnerMs, now - cordonMs)],
  ];
  for (const [name, step] of steps) {
    await step().catch((error: unknown) => context.log.warn({ err: error }, `sweeping ${name}: ${messageOf(error)}`));
  }
}

async function sweepCommitments(context: Context, now: number): Promise<void> {
  while ((await appendMissing(context.pool, recordsAtOnce, now)) === recordsAtOnce);
}

async function sweepLeases(context: Context, now: number): Promise<void> {
  for (const lease of await expiredLeases(context.pool, now)) {
    const cause = 'the runner was not heard of any more';
    await loseAttempt(context.pool, lease, { cause, expiredBy: now }, now);
    context.log.warn(lease, `the lease of job ${lease.jobId}, attempt ${lease.attempt}, has expired`);
    context.relay.kick();
  }
}

async function sweepDeletions(context: Context): Promise<void> {
  for (const jobId of await jobsBeingDeleted(context.pool, deletionsAtOnce, null))
    await completeDeletion(context, jobId);
}

/** Second half of a deletion, by whoever gets to it first. */
export async function completeDeletion(context: Context, jobId: string): Promise<void> {
  await context.liveData.purgeMatch({ jobId });
  await finishDeletion(context.pool, jobId, context.now());
  context.relay.kick();
}

async function sweepIntents(context: Context, now: number): Promise<void> {
  for (const holderId of await staleIntents(context.pool, now - intentMs)) {
    await context.submission.releasePins({ holderId });
    await closeIntent(context.pool, holderId);
  }
}
