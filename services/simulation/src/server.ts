import type { Context, SimulationHandlers } from './context.ts';
import { acceptResult } from './rpc/accept-result.ts';
import { claimMatch } from './rpc/claim-match.ts';
import { countJobs } from './rpc/count-jobs.ts';
import { createMatch } from './rpc/create-match.ts';
import { createTestRun } from './rpc/create-test-run.ts';
import { deleteJob } from './rpc/delete-job.ts';
import { getJob } from './rpc/get-job.ts';
import { getMatch } from './rpc/get-match.ts';
import { getSeed } from './rpc/get-seed.ts';
import { handBack } from './rpc/hand-back.ts';
import { heartbeat } from './rpc/heartbeat.ts';
import { holdBatch, releaseBatch } from './rpc/hold-batch.ts';
import { holdJob, releaseJob } from './rpc/hold-job.ts';
import { listBatchResults } from './rpc/list-batch-results.ts';
import { listJobs } from './rpc/list-jobs.ts';
import { cordonRunners, listRunners } from './rpc/list-runners.ts';
import { reportLoss } from './rpc/report-loss.ts';

export function createHandlers(context: Context): SimulationHandlers {
  return {
    createTestRun: createTestRun(context),
    createMatch: createMatch(context),
    getJob: getJob(context),
    listJobs: listJobs(context),
    countJobs: countJobs(context),
    deleteJob: deleteJob(context),
    getSeed: getSeed(context),
    claimMatch: claimMatch(context),
    heartbeat: heartbeat(context),
    handBack: handBack(context),
    reportLoss: reportLoss(context),
    getMatch: getMatch(context),
    acceptResult: acceptResult(context),
    holdJob: holdJob(context),
    releaseJob: releaseJob(context),
    holdBatch: holdBatch(context),
    releaseBatch: releaseBatch(context),
    listBatchResults: listBatchResults(context),
    listRunners: listRunners(context),
    cordonRunners: cordonRunners(context),
  };
}
