import type { Context, SimulationHandlers } from './context.ts';
import { acceptResult } from './rpc/accept-result.ts';
import { getBatchMetadata, listBatchNumbers, setBatchMetadata } from './rpc/batch-metadata.ts';
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from './rpc/change-batch.ts';
import { claimMatch } from './rpc/claim-match.ts';
import { countJobs } from './rpc/count-jobs.ts';
import { createBatch } from './rpc/create-batch.ts';
import { createMatch } from './rpc/create-match.ts';
import { createTestRun } from './rpc/create-test-run.ts';
import { deleteBatch } from './rpc/delete-batch.ts';
import { deleteJob } from './rpc/delete-job.ts';
import { getBacklog } from './rpc/get-backlog.ts';
import { getBatch, listBatches } from './rpc/get-batch.ts';
import { getJob } from './rpc/get-job.ts';
import { getMatch } from './rpc/get-match.ts';
import { getSeed } from './rpc/get-seed.ts';
import { handBack } from './rpc/hand-back.ts';
import { heartbeat } from './rpc/heartbeat.ts';
import { holdBatch, releaseBatch } from './rpc/hold-batch.ts';
import { holdJob, releaseJob } from './rpc/hold-job.ts';
import { lastTestRuns } from './rpc/last-test-runs.ts';
import { listBatchJobs } from './rpc/list-batch-jobs.ts';
import { listBatchResults } from './rpc/list-batch-results.ts';
import { listCommitments } from './rpc/list-commitments.ts';
import { listJobs } from './rpc/list-jobs.ts';
import { cordonRunners, listRunners } from './rpc/list-runners.ts';
import { reportLoss } from './rpc/report-loss.ts';
import { getSettings, updateSettings } from './rpc/settings.ts';
import { getUserQuota, setUserQuota } from './rpc/user-quota.ts';

export function createHandlers(context: Context): SimulationHandlers {
  return {
    createTestRun: createTestRun(context),
    createMatch: createMatch(context),
    getJob: getJob(context),
    listJobs: listJobs(context),
    countJobs: countJobs(context),
    deleteJob: deleteJob(context),
    lastTestRuns: lastTestRuns(context),
    getSeed: getSeed(context),
    listCommitments: listCommitments(context),
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
    getBacklog: getBacklog(context),
    getSettings: getSettings(context),
    updateSettings: updateSettings(context),
    getUserQuota: getUserQuota(context),
    setUserQuota: setUserQuota(context),
    createBatch: createBatch(context),
    listBatches: listBatches(context),
    getBatch: getBatch(context),
    listBatchJobs: listBatchJobs(context),
    pauseBatch: pauseBatch(context),
    resumeBatch: resumeBatch(context),
    cancelBatch: cancelBatch(context),
    retryBatch: retryBatch(context),
    deleteBatch: deleteBatch(context),
    getBatchMetadata: getBatchMetadata(context),
    listBatchNumbers: listBatchNumbers(context),
    setBatchMetadata: setBatchMetadata(context),
  };
}
