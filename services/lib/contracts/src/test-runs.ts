import { housePlayers } from './house-user.ts';

/** Opponents in a test run: the house bot, an example bot (heads-up), or `mix`: a table of six with the house bot and four example bots. */
export const opponents: readonly string[] = ['house', ...housePlayers.values(), 'mix'];

/** Limits of the number of hands of a test run; the default is the least. */
export const testRunHands = { min: 10, max: 200 } as const;
