import type { Context, LeaderboardHandlers } from './context.ts';
import { getArenaStatus, processBatch, unprocessBatch } from './rpc/batches.ts';
import { getBoard, listTagMatches, listTags } from './rpc/boards.ts';
import { addEntry, getTop, listUserEntries, removeEntry } from './rpc/entries.ts';
import { applyJob, listAppliedJobs, unapplyJob } from './rpc/jobs.ts';

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
