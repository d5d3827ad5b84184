import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import { type AccessTable, admin, anyone, verified } from '@husky/runtime/access';

/** Who may make each call. No rule here needs to know what is stored. */
export const access = {
  // Entries are on public pages. That /leaderboard/user is for the verified is the gateway's rule.
  getTop: anyone,
  getBoard: anyone,
  listUserEntries: anyone,

  listTags: verified,

  // A participant who could post a score would forge it.
  addEntry: admin,
  removeEntry: admin,
  applyJob: admin,
  unapplyJob: admin,
  processBatch: admin,
  unprocessBatch: admin,
  getArenaStatus: admin,
  listAppliedJobs: admin,
} satisfies AccessTable<LeaderboardServiceDefinition>;
