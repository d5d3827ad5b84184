import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import type { LeaderboardContext } from './context.ts';
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

export function createHandlers(context: LeaderboardContext): Handlers<LeaderboardServiceDefinition, typeof access> {
  return {
    getTop: (request) => getTop(context, request),
    getBoard: (request) => getBoard(context, request),
    listTags: (request) => listTags(context, request),
    listUserEntries: (request) => listUserEntries(context, request),
    addEntry: (request, call) => addEntry(context, request, call),
    removeEntry: (request, call) => removeEntry(context, request, call),
    applyJob: (request, call) => applyJob(context, request, call),
    unapplyJob: (request, call) => unapplyJob(context, request, call),
    processBatch: (request, call) => processBatch(context, request, call),
    unprocessBatch: (request, call) => unprocessBatch(context, request, call),
    getArenaStatus: (request) => getArenaStatus(context, request),
    listTagMatches: (request) => listTagMatches(context, request),
    listAppliedJobs: (request) => listAppliedJobs(context, request),
  };
}
