import { houseUserId } from '@husky/contracts/house-user';

interface Match {
  /** FINISHED as simulation spells it, or Finished as live-data does. */
  readonly status: string;
  readonly playerIds: readonly string[];
}

/** Returns whether leaderboard accepts a match for the 2025 standing: finished, no house bot, no user twice. */
export function mayCountIn2025({ status, playerIds }: Match): boolean {
  const users = new Set(playerIds);
  return status.toUpperCase() === 'FINISHED' && users.size === playerIds.length && !users.has(houseUserId);
}
