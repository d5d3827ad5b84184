import { houseUserId } from '@husky/contracts/house-user';

/** The tag of the home page's board, unless an admin chose another. */
export const standardBoard = '2025';

interface Match {
  /** In the spelling of simulation or live-data. */
  readonly status: string;
  readonly playerIds: readonly string[];
}

/** Returns whether leaderboard accepts a match for the 2025 standing: finished, no house bot, no user twice. */
export function mayCountIn2025({ status, playerIds }: Match): boolean {
  const users = new Set(playerIds);
  return status.toUpperCase() === 'FINISHED' && users.size === playerIds.length && !users.has(houseUserId);
}
