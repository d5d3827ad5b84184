import { z } from 'zod';
import { envelope, pageQuery, time } from '../../http/schema.ts';

export const matchItem = z
  .object({
    job_id: z.string(),
    batch_id: z.string().nullable(),
    players: z.array(z.string()),
    first_game_created_at: time.nullable(),
    is_public: z.boolean(),
    status: z.string(),
    batch_number: z.number().int().nullable(),
    game_number: z.number().int(),
    hands: z.number().int(),
  })
  .meta({ id: 'GameJob' });

export const adminMatchItem = matchItem.extend({ tournaments_2025_added: z.boolean() }).meta({ id: 'AdminGameJob' });

const totals = { total_games: z.number().int(), total_players: z.number().int() };
export const matchList = z.object({ jobs: z.array(matchItem), ...totals });
export const matchPage = z.object({ jobs: z.array(matchItem), ...envelope, ...totals });
export const adminMatchPage = z.object({ jobs: z.array(adminMatchItem), ...envelope, ...totals });

const gameItem = z.object({ game_id: z.string(), game_uuid: z.string() }).meta({ id: 'GameItem' });
export const gameList = z.object({ games: z.array(gameItem) });
export const gamePage = z.object({ games: z.array(gameItem), ...envelope });

const statusFilter = {
  status: z.enum(['', 'Running', 'Finished']).default(''),
  order: z.enum(['newest', 'oldest']).default('newest'),
};
export const jobIdsQuery = z.object({
  ...pageQuery(100),
  ...statusFilter,
  status: z.enum(['', 'Running', 'Finished', 'Failed']).default(''),
  visibility: z.enum(['', 'public', 'private']).default(''),
  q: z.string().max(100).default('').describe('a username, or the beginning of a job id'),
});
export const publicPageQuery = z.object({ ...pageQuery(500), ...statusFilter });
export const gamesQuery = z.object(pageQuery(100));

export const gameParams = z.object({ id: z.string().min(1).max(64) });
export const gameResponse = z
  .object({
    message: z.string(),
    game_id: z.string(),
    game_uuid: z.string(),
    job_id: z.string(),
    game_data: z.looseObject({}).describe("One hand's log: rounds, players, money, cards (docs/bots.md)"),
  })
  .meta({ id: 'Game' });
export const performanceResponse = z
  .record(z.string(), z.array(z.number()))
  .describe("username -> that player's cumulative delta after each hand");
export const seedResponse = z.object({
  job_id: z.string(),
  seed: z.string().describe('hex, 32 bytes'),
  commitment: z.string().describe('hex SHA-256, stored before the first hand'),
  commitment_input: z.string().describe('what was hashed'),
});
export const botLogResponse = z.object({
  job_id: z.string(),
  username: z.string(),
  log: z.string(),
  verdict: z.string(),
  cpu_ms: z.number(),
  peak_memory_kib: z.number(),
  faults: z.number().int(),
});
