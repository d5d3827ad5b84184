import type { Context, LeaderboardHandlers } from './context.ts';
import { addEntry } from './rpc/add-entry.ts';
import { applyJob } from './rpc/apply-job.ts';
import { getArenaStatus } from './rpc/get-arena-status.ts';
import { getBoard } from './rpc/get-board.ts';
import { getTop } from './rpc/get-top.ts';
import { listAppliedJobs } from './rpc/list-applied-jobs.ts';
import { listTagMatches } from './rpc/list-tag-matches.ts';
import { listTags } from './rpc/list-tags.ts';
import { listUserEntries } from './rpc/list-user-entries.ts';
import { processBatch } from './rpc/process-batch.ts';
import { removeEntry } from './rpc/remove-entry.ts';
import { unapplyJob } from './rpc/unapply-job.ts';
import { unprocessBatch } from './rpc/unprocess-batch.ts';

export function createHandlers(context: Context): LeaderboardHandlers {
  return {
    getTop: getTop(context),
    getBoard: getBoard(context),
    listTags: listTags(context),
    listUserEntries: listUserEntries(context),
    addEntry: addEntry(context),
    removeEntry: removeEntry(context),
    applyJob: applyJob(context),
    unapplyJob: unapplyJob(context),
    processBatch: processBatch(context),
    unprocessBatch: unprocessBatch(context),
    getArenaStatus: getArenaStatus(context),
    listTagMatches: listTagMatches(context),
    listAppliedJobs: listAppliedJobs(context),
  };
}
