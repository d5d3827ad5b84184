import { z } from 'zod';
import { resultFields } from '../results.ts';

export const playerParams = z.object({ username: z.string().min(1).max(200) });
export const versusParams = playerParams.extend({ other: z.string().min(1).max(200) });
export const playerResponse = z.object({ username: z.string(), ...resultFields }).meta({ id: 'Player' });
export const versusResponse = z
  .object({ username: z.string(), other: z.string(), ...resultFields })
  .meta({ id: 'HeadToHead' });
