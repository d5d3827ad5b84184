import { audited } from '@husky/contracts/events';
import { testRunHands } from '@husky/contracts/test-runs';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Consumer, Messaging } from '@husky/runtime/messages/nats';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError, type ErrorCode } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import { seatPlan } from '../domain/job.ts';
import { noTestRuns } from '../domain/test-run-quota.ts';
import { effectiveQuota, refuseDeleted } from '../event/store/quotas.ts';
import { pinOpponents, withPins } from '../pins.ts';
import { newJobId } from '../store/insert-jobs.ts';
import { insertTestRun } from '../store/insert-test-run.ts';
import { isUploadTested, lockTestRunsOf, replaceWaiting } from '../store/test-run-starts.ts';

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_FOUND', 'FAILED_PRECONDITION', 'UNAUTHENTICATED']);
const service = { kind: 'service', name: 'simulation' } as const;

/** Starts the test run of each upload when its packages are ready. */
export function consumeUploadReady(messaging: Messaging, context: Context): Consumer {
  return messaging.consume(
    audited('submission'),
    'simulation_upload_ready',
    async ({ action, subjectId, afterJson }) => {
      if (action !== 'submission.uploaded' && action !== 'submission.prepared') return;
      const { state } = JSON.parse(afterJson || '{}') as { readonly state?: unknown };
      if (state === 'ready' && isUuid(subjectId)) await testUpload(context, subjectId);
    },
  );
}

/**
 * Starts a test run of an upload, in the share of its user and of the address of the upload. It replaces the waiting one of an older upload, so that a user has
 * one waiting at most, and does not count in the user's quota, which may forbid it with 0. Idempotent. A refusal is final: the upload has no test run.
 */
export async function testUpload(context: Context, submissionId: string): Promise<void> {
  if (await isUploadTested(context.pool, submissionId)) return;
  const id = newJobId();
  try {
    await withPins(context, id, () => createRun(context, id, submissionId));
  } catch (error) {
    if (!(error instanceof DomainError) || !refusals.has(error.code)) throw error;
    context.log.info({ submissionId, reason: error.reason }, `no test run of an upload: ${error.message}`);
    return;
  }
  context.relay.kick();
  context.worker.kick();
}

/** After an upgrade a new consumer also receives the uploads before it. */
const maxAgeMs = 24 * 60 * 60 * 1000;

const alreadyTested = () => new DomainError('FAILED_PRECONDITION', 'already-tested', 'It has had its test run.');

async function createRun(context: Context, jobId: string, submissionId: string): Promise<void> {
  const { submission, pool, settings } = context;
  const { pin, uploadedAt, address } = await submission.pinUpload({ holderId: jobId, submissionId });
  if (context.now() - Date.parse(uploadedAt) > maxAgeMs) {
    throw new DomainError('FAILED_PRECONDITION', 'upload-too-old', 'It is more than a day old.');
  }
  const opponents = await pinOpponents(submission, jobId, 'house');
  if (pin === null) throw new Error(`submission ${submissionId} has no bot`);
  const { userId } = pin;
  await inTransaction(pool, async (client) => {
    await refuseDeleted(client, userId);
    await lockTestRunsOf(client, userId);
    if (await isUploadTested(client, submissionId)) throw alreadyTested();
    const quota = await effectiveQuota(client, userId, settings.quota);
    if (quota.maxTestRuns === 0 || quota.maxTestRunsADay === 0) throw noTestRuns();
    const upload = { submissionId, uploadedAt: new Date(uploadedAt) };
    await replaceWaiting(client, userId, upload.uploadedAt, context.now());
    const start = { jobId, userId, address, now: context.now(), upload, against: 'house' };
    const seats = [seatPlan(pin), ...opponents];
    await insertTestRun(client, start, { limits: settings.limits, numRounds: testRunHands.min, seats }, service);
  });
}
