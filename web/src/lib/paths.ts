/** Returns the path of a player's page. */
export const playerPath = (username: string): string => `/players/${encodeURIComponent(username)}`;

/** Returns the path of a batch's page. */
export const batchPath = (number: number): string => `/batches/${number}`;

/** Returns the path of a bot's report on a match, which its owner and admins can open. */
export const botReportPath = (jobId: string, username: string): string =>
  `/games/${encodeURIComponent(jobId)}/bots/${encodeURIComponent(username)}`;

/** Returns the path of a hand's replay, at a step counted from 1 if it is known. */
export function replayPath(gameId: string, step?: number | null): string {
  const path = `/replay/${encodeURIComponent(gameId)}`;
  return step ? `${path}?step=${step}` : path;
}
