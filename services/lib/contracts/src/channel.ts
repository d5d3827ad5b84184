/** After this time without other public matches the channel (TV, home) shows the ladder. */
export const quietChannelMs = 60 * 60_000;
