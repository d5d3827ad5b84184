import { houseUserId } from '@husky/contracts/house-user';

interface Match {
  /** As simulation or live-data names it. */
  readonly status: string;
  readonly playerIds: readonly string[];
}

/** Whether leaderboard would take a match into the 2025 standing: finished, without the house bot, nobody in it twice. */
export function mayCountIn2025({ status, playerIds }: Match): boolean {
  const users = new Set(playerIds);
  return status.toUpperCase() === 'FINISHED' && users.size === playerIds.length && !users.has(houseUserId);
}
