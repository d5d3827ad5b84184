/** Returns the path of a player's page. */
export const playerPath = (username: string): string => `/players/${encodeURIComponent(username)}`;

/** Returns the path of a batch's page. */
export const batchPath = (number: number): string => `/batches/${number}`;
