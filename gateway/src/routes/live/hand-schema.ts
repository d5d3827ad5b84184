import { STREETS } from '@husky/match/game-data';
import { stacksModes } from '@husky/match/stacks';
import { z } from 'zod';
import { envelope, pageQuery, queryInteger, time } from '../../http/schema.ts';

const flag = z
  .enum(['', 'true', 'false'])
  .default('')
  .transform((text) => text === 'true');
const street = z.enum(STREETS);

export const handsQuery = z.object({
  page: pageQuery(100, 200).page,
  size: queryInteger(1, 200, 100).describe('hands a page'),
  sort: z.enum(['number', 'pot', 'net']).default('number'),
  order: z.enum(['asc', 'desc']).default('asc'),
  player: z
    .string()
    .max(64)
    .default('')
    .describe('username of a player of the match: net, sort=net and faults are about this player'),
  net: z.enum(['', 'win', 'loss']).default('').describe('hands that the player won or lost chips in'),
  all_in: flag.describe('true: hands in which a player was all-in'),
  showdown: flag.describe('true: hands with a showdown'),
  faults: flag.describe('true: hands with a fault, of the player if one is named'),
  min_pot: queryInteger(0, 999_999_999, 0),
  street: z
    .union([z.literal(''), street])
    .default('')
    .describe('the last street that was dealt'),
});

const handSummary = z
  .object({
    game_id: z.string(),
    hand_number: z.number().int(),
    board: z.array(z.string()),
    pot: z.number().int().describe('chips in the pots, without an uncalled bet'),
    street: street.describe('the last street that was dealt, in a run-out too'),
    showdown: z.boolean(),
    all_in: z.boolean().describe('whether a player was all-in'),
    winners: z.array(z.string()).describe('won chips from a pot and did not lose in the hand; largest net first'),
    winning_hand: z.string().nullable().describe("name of the first winner's hand; null: no showdown"),
    nets: z.array(z.number().int()).describe('net chips by seat, in the order of players'),
    faults: z.array(z.string()).describe('players whose decision failed'),
  })
  .meta({ id: 'HandSummary' });

const players = z.array(z.string()).describe('by seat');

export const handPage = z.object({
  job_id: z.string(),
  players,
  match_hands: z.number().int().describe('hands of the match, or those stored so far'),
  hands: z.array(handSummary.extend({ net: z.number().int().nullable().describe('of the named player') })),
  ...envelope,
});

const column = z.array(z.number().int());
export const handColumns = z
  .object({
    job_id: z.string(),
    players,
    pots: column,
    flags: column.describe('bits 0 and 1: street (0 preflop to 3 river); bit 2: showdown; bit 3: a player was all-in'),
    winners: column.describe('bit s: the player in seat s'),
    faults: column.describe('bit s: the player in seat s'),
    attempt: z.number().int().describe('of these hands, as in their ids'),
    starting_stack: z.number().int(),
    stacks: z.enum(stacksModes),
  })
  .describe('one number a hand, from hand 1');

export const highlight = handSummary
  .extend({
    job_id: z.string(),
    players,
    swing: z.number().describe("largest change of a player's equity from one street to the next, 0 to 1"),
    player: z.string().describe('the player with this change'),
    swing_street: street.nullable().describe('the street that was dealt between; null: no swing'),
    equity_before: z.number(),
    equity_after: z.number(),
    winner: z.string().nullable().describe('the first of winners'),
    played_at: time,
    sentence: z.string().describe('the hand in one sentence'),
  })
  .meta({ id: 'Highlight' });
export const highlightList = z.object({ job_id: z.string(), highlights: z.array(highlight) });

export const playerParams = z.object({ username: z.string().min(1).max(64) });
export const playerHandsQuery = z.object({
  kind: z.enum(['best', 'worst']).default('best').describe('largest net wins, or largest net losses'),
  limit: queryInteger(1, 50, 5),
  of: z
    .enum(['matches', 'ladder'])
    .default('matches')
    .describe("ladder: matches of the ladder within a day, which are the player's own call only"),
});
export const playerHands = z.object({
  username: z.string(),
  hands: z.array(
    handSummary.extend({
      job_id: z.string(),
      players,
      net: z.number().int(),
      match_started_at: time.nullable(),
      is_public: z.boolean(),
    }),
  ),
});

export const playerMatchesQuery = z.object(pageQuery(50, 200));
export const playerMatches = z.object({
  username: z.string(),
  matches: z.array(
    z.object({
      job_id: z.string(),
      batch_id: z.string().nullable(),
      batch_number: z.number().int().nullable(),
      batch_is_public: z.boolean(),
      game_number: z.number().int(),
      is_public: z.boolean(),
      status: z.string(),
      players: z.array(z.string()),
      rank: z.number().int().nullable().describe('1 + the number of players with a higher delta'),
      delta: z.number().int().nullable().describe('while the match runs, the current one'),
      hands: z.number().int(),
      winner: z.string().nullable(),
      winner_delta: z.number().int().nullable(),
      end_reason: z.string().nullable(),
      played_at: time.nullable().describe('when the first hand was stored'),
      ended_at: time.nullable(),
    }),
  ),
  ...envelope,
});
