import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';
import type { JobPlan } from '../domain/job.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { auditWriter } from './audit.ts';
import { insertJobs } from './insert-jobs.ts';
import { closeIntent } from './pin-intents.ts';
import { recordTestRun, type TestRunStart } from './test-run-starts.ts';

const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };

/** Inserts the job of a test run, whose bots are pinned. Throws while the event is frozen. */
export async function insertTestRun(
  client: pg.ClientBase,
  start: TestRunStart,
  plan: Pick<JobPlan, 'limits' | 'seats' | 'numRounds'>,
  by: Caller,
): Promise<void> {
  const { jobId: id, userId: ownerId, address, now, upload, against } = start;
  const job = {
    ...plan,
    id,
    kind: 'TEST_RUN' as const,
    ownerId,
    batchId: null,
    gameNumber: null,
    holderId: id,
    blinds,
    stacks: 'carry' as const,
    dealSetId: randomUUID(),
    rotation: null,
  };
  await refuseWhenFrozen(client, 'untilCommit');
  await insertJobs(client, [job], { now, address });
  await client.query(sql`UPDATE jobs SET against = ${against} WHERE id = ${id}`);
  await recordTestRun(client, start);
  await closeIntent(client, id);
  const after = {
    kind: 'TEST_RUN',
    against,
    num_rounds: plan.numRounds,
    ...(upload ? { submission_id: upload.submissionId } : {}),
  };
  await auditWriter(by, { action: 'job.created', subjectKind: 'job', subjectId: id, after })(client);
}
