import { z } from 'zod';
import { queryInteger, text, time } from '../../http/schema.ts';

const hands = z.number().int().min(1);

export const stageBody = z
  .strictObject({
    name: text(60, 1),
    mode: z.enum(['classic', 'duplicate']).default('classic'),
    stacks: z.enum(['carry', 'reset']).optional().describe('default: carry; of duplicate: reset'),
    hands: hands.max(10_000).default(1000).describe('of a match'),
    hands_each: hands.max(10_000_000).describe('budget of hands for each player; all play equally many'),
    advance: z
      .number()
      .int()
      .min(6)
      .max(1000)
      .nullable()
      .default(null)
      .describe('how many go on, with all who are level with the last of them; null: the last stage'),
    big_blind: z.number().int().min(1).max(1_000_000).default(10),
    stop_rule: z
      .strictObject({
        alpha: z.number().min(0.001).max(0.5).default(0.05),
        margin: z.number().min(0).max(1e6).default(0),
      })
      .nullable()
      .default(null)
      .describe('ends a stage of six players when all pairs are decided'),
  })
  .meta({ id: 'TournamentStageSpec' });
export type StageBody = z.output<typeof stageBody>;

export const tournamentBody = z.strictObject({
  name: text(100, 1),
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/, 'must be small letters, digits, and hyphens between them')
    .describe('its address, /tournaments/{slug}'),
  entry_deadline: z.iso.datetime({
    offset: true,
    error: 'must be a time with its zone, as in 2025-07-21T23:59:59-07:00',
  }),
  template: z
    .enum(['official', 'quick', 'researcher'])
    .default('official')
    .describe('of the stages, unless some are given'),
  stages: z.array(stageBody).min(1).max(8).optional(),
  description: text(5000).default(''),
  prize: text(1000).default(''),
  starts_at: z.iso.datetime({ offset: true }).nullable().default(null).describe('null: at the deadline'),
  entry_list: z
    .array(z.string().min(1).max(64))
    .max(1000)
    .default([])
    .describe('names of those who may enter; empty: everybody with a final submission'),
  ceremony: z.boolean().default(false).describe('the results of the last stage are hidden until they are revealed'),
});
export const changeBody = tournamentBody.extend({
  expected_version: z.number().int().optional().describe('409 if somebody has changed it since'),
});
export type TournamentBody = z.output<typeof tournamentBody>;

export const slugParams = z.object({ slug: z.string().min(1).max(64) });
export const revealQuery = z.object({
  revealed: queryInteger(-1, 1000, -1).describe(
    'of a revelation: how many places are revealed, 409 if others are; -1: any',
  ),
});
export const created = z.object({ slug: z.string() });
export const done = z.object({ message: z.string() });

const chips = (what: string) => z.number().nullable().describe(`${what}, in chips per 100 hands; null: not known`);
const state = z.enum(['open', 'frozen', 'running', 'paused', 'finished', 'cancelled']);
const stageState = z.enum(['pending', 'running', 'finished']);
const head = {
  name: z.string(),
  slug: z.string(),
  state,
  description: z.string(),
  prize: z.string(),
  entry_deadline: time,
  starts_at: time.nullable().describe('null: at the deadline'),
  frozen_at: time.nullable(),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  champion: z.string().nullable().describe('null: not known yet, or nobody was better than another'),
  problem: z.string().nullable().describe('why it is paused or cancelled'),
  ceremony: z.boolean(),
};

export const tournaments = z
  .object({
    tournaments: z
      .array(
        z.object({
          ...head,
          entrant_count: z.number().int(),
          stages: z.array(z.object({ name: z.string(), state: stageState })),
        }),
      )
      .describe('the latest deadline first, at most 500'),
  })
  .meta({ id: 'Tournaments' });

export const tournament = z
  .object({
    ...head,
    template: z.string().nullable().describe('null: stages of its own'),
    version: z.number().int(),
    entry_list: z.array(z.string()),
    entrants: z.array(z.string()).describe('before the deadline: those whose final submission would be in now'),
    bots: z
      .array(z.object({ username: z.string(), bot_hash: z.string() }))
      .describe('the frozen files; empty before the deadline'),
    stages: z.array(
      z.object({
        name: z.string(),
        state: stageState,
        spec: stageBody,
        batch_number: z.number().int().nullable(),
        players: z.number().int(),
        matches: z.number().int().describe('planned; of a later stage: for the entrants at present'),
        finished: z.number().int(),
        hands_each: z.number().int().describe('that each player plays at most'),
        seconds_left: z.number().nullable().describe('null: not known'),
        started_at: time.nullable(),
        ended_at: time.nullable(),
        hidden: z.boolean().describe('its results, until they are revealed'),
        standings: z
          .array(
            z.object({
              rank: z.number().int().describe('level players share one'),
              username: z.string(),
              delta: z.number().int().describe('chips won in the stage'),
              matches: z.number().int(),
              adjusted: chips('won without luck'),
              low: chips('lower end of its 95 % interval'),
              high: chips('its upper end'),
              advances: z.boolean().describe('of a stage in play: as it stands'),
            }),
          )
          .describe('best first'),
      }),
    ),
    expected_seconds: z
      .number()
      .nullable()
      .describe("from the start to the champion at today's speed of the runners; null: not known"),
    revealed: z.number().int().describe('places of the last stage that a ceremony has revealed, from the last one'),
    overlaps: z.array(z.string()).describe('slugs of tournaments at about the same time, which share the runners'),
    record: z
      .object({ number: z.number().int(), hash: z.string(), made_at: time })
      .nullable()
      .describe('in the chain of commitments, of the frozen list; null before the deadline'),
  })
  .meta({ id: 'Tournament' });
