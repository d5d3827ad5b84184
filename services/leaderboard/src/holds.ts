import type { BatchHold__Output } from '@husky/contracts/types/simulation/v1/BatchHold';
import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { contextOf, currentTraceparent, inSpan, linkTo } from '@husky/runtime/telemetry/trace-context';
import type pg from 'pg';
import type { Context } from './context.ts';
import { checkCountable } from './domain/job-deltas.ts';
import { countApplied } from './store/applied-batches.ts';
import {
  isApplied,
  markHoldSettled,
  markHoldUnsettled,
  unsettledHolds,
  withBatchLock,
  withJobLock,
} from './store/applied-jobs.ts';

const settleAfterMs = 30_000;

/** Holds a countable job at simulation, so that it cannot be deleted. Releases any other job and throws the refusal. */
export async function holdCountable(context: Context, client: pg.PoolClient, jobId: string): Promise<Job__Output> {
  await markHoldUnsettled(client, 'job', jobId, context.now());
  try {
    const job = await context.simulation.holdJob({ jobId });
    checkCountable(job);
    return job;
  } catch (error) {
    if (isRefusal(error)) await releaseJob(context, client, jobId);
    throw error;
  }
}

/** Releases the hold of a job that is not applied. If simulation is unavailable, the next `settleHolds` retries. */
export async function releaseJob(context: Context, client: pg.PoolClient, jobId: string): Promise<void> {
  // A refusal means that the job is unknown or not held.
  await release(context, client, 'job', jobId, () => context.simulation.releaseJob({ jobId }), isRefusal);
}

/** Holds a batch at simulation, so that neither the batch nor one of its jobs can be deleted. */
export async function holdBatch(context: Context, client: pg.PoolClient, batchId: string): Promise<BatchHold__Output> {
  await markHoldUnsettled(client, 'batch', batchId, context.now());
  try {
    return await context.simulation.holdBatch({ batchId });
  } catch (error) {
    if (isNotFound(error)) await markHoldSettled(client, 'batch', batchId);
    throw error;
  }
}

/** Releases the hold of a batch without applied jobs. If simulation is unavailable, the next `settleHolds` retries. */
export async function settleBatch(context: Context, client: pg.PoolClient, batchId: string): Promise<void> {
  if ((await countApplied(client, batchId)) > 0) {
    await markHoldSettled(client, 'batch', batchId);
    return;
  }
  // A batch that does not exist has no hold.
  await release(context, client, 'batch', batchId, () => context.simulation.releaseBatch({ batchId }), isNotFound);
}

/** Marks a hold as settled once `call` has released it, or has failed because there is none. Logs any other failure. */
async function release(
  context: Context,
  client: pg.PoolClient,
  kind: 'job' | 'batch',
  id: string,
  call: () => Promise<unknown>,
  isWithoutHold: (error: unknown) => boolean,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isWithoutHold(error)) {
      context.log.warn({ [`${kind}Id`]: id }, `releasing a ${kind} failed, it is retried: ${messageOf(error)}`);
      return;
    }
  }
  await markHoldSettled(client, kind, id);
}

/** Corrects holds that a crash or an outage of simulation left unsettled: keeps those of applied jobs and batches, releases the others. Idempotent. */
export async function settleHolds(context: Context): Promise<void> {
  const before = context.now() - settleAfterMs;
  for (const jobId of await unsettledHolds(context.pool, 'job', before)) {
    await withJobLock(context.pool, jobId, async (client) => {
      if (await isApplied(client, jobId)) await markHoldSettled(client, 'job', jobId);
      else await releaseJob(context, client, jobId);
    });
  }
  for (const batchId of await unsettledHolds(context.pool, 'batch', before)) {
    await withBatchLock(context.pool, batchId, (client) => settleBatch(context, client, batchId));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'FAILED_PRECONDITION');
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'NOT_FOUND';
}

/**
 * Runs `work`, which adds results to the leaderboard, in a span of the trace that produced the results. Links this span and
 * the span of the admin's request to each other. `traceparent`: the trace of the job or batch; empty: the current one.
 */
export function inTraceOf<T>(
  traceparent: string,
  attributes: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const name = 'add to leaderboard';
  if (traceparent === '') return inSpan(name, { attributes }, work);
  const links = [currentTraceparent()];
  linkTo(traceparent);
  return inSpan(name, { parent: contextOf(traceparent), attributes, links }, work);
}
