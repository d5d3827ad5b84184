import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import { type AccessTable, admin, anyone, verified } from '@husky/runtime/rpc/access';

/** The access rule of each RPC. */
export const access = {
  // Entries are on public pages. The gateway serves /leaderboard/user to verified users only.
  getTop: anyone,
  getBoard: anyone,
  listUserEntries: anyone,

  // Includes private matches; the gateway returns only public ones.
  listTagMatches: anyone,

  listTags: verified,

  // Participants must not add scores.
  addEntry: admin,
  removeEntry: admin,
  applyJob: admin,
  unapplyJob: admin,
  processBatch: admin,
  unprocessBatch: admin,
  getArenaStatus: admin,
  listAppliedJobs: admin,
} satisfies AccessTable<LeaderboardServiceDefinition>;
